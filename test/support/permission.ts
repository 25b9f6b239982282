import { type Received } from './client.js';
import { MAIL, type Mail } from './mailer.js';
import { calls } from './mock-models.js';

export const mail = (id = 'c1', args: Mail = MAIL) =>
  calls('send_email', args, id);

export const resultsIn = (events: readonly Received[]) =>
  events
    .filter(({ type }) => type === 'TOOL_CALL_RESULT')
    .map(({ toolCallId, content, metadata }) => ({
      toolCallId,
      content,
      ...(metadata !== undefined && { metadata }),
    }));

// One run without HTTP: from the agent's events to frames, guard included.
import 'reflect-metadata';
import { AguiAgentAdapter } from './dist/index.js';
import { SseEncoder } from './dist/protocol/event-encoder.js';
import { aguiEvents } from './agent.mjs';
import { agentEvents } from './agent-events.mjs';

export const inputFor = (prompt) => ({
  threadId: 'thread',
  runId: 'run',
  protocolVersion: '1.0',
  messages: [{ id: 'message', role: 'user', content: prompt }],
  tools: [],
  context: [],
});

const adapter = new AguiAgentAdapter({
  streamEvents: (_messages, context) => agentEvents(context.get('agui.input')),
});

/** The frames' length, by this module. */
export async function framesByUs(input) {
  let size = 0;
  const encoder = new SseEncoder();
  await adapter.run(input).pipe({
    write: (event) => void (size += encoder.encode(event).length),
  });
  return size;
}

/** The same by an async generator and JSON.stringify. */
export async function framesByPlain(input) {
  let size = 0;
  for await (const event of aguiEvents(input))
    size += `data: ${JSON.stringify(event)}\n\n`.length;
  return size;
}

/** What the agent alone takes. */
export async function agentAlone(input) {
  let count = 0;
  for await (const event of agentEvents(input)) count += event.type.length;
  return count;
}

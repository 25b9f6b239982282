import type { LanguageModel } from 'ai';
import {
  agentTool,
  AiSdkAgent,
  type AiSdkAgentOptions,
} from 'nestjs-agui/ai-sdk';
import { z } from 'zod';

/** An email. */
export interface Mail {
  to: string;
  subject: string;
}

/** An agent that sends emails after it was allowed to, and what it has sent. */
export interface Mailer {
  agent: AiSdkAgent;
  sent: Mail[];
}

/** @param options replace those of the agent; `send` replaces parts of the tool `send_email`. */
export function mailer(
  model: LanguageModel,
  options: Partial<AiSdkAgentOptions> = {},
  send: Partial<Parameters<typeof agentTool<Mail, unknown>>[0]> = {},
): Mailer {
  const sent: Mail[] = [];
  const sendEmail = agentTool<Mail, unknown>({
    description: 'Sends an email',
    inputSchema: z.object({ to: z.string(), subject: z.string() }),
    needsApproval: true,
    execute: (mail) => {
      sent.push(mail);
      return `Email sent to ${mail.to}`;
    },
    ...send,
  });
  const agent = new AiSdkAgent({
    model,
    ...options,
    tools: { send_email: sendEmail, ...options.tools },
  });
  return { agent, sent };
}

/** A turn's call of `send_email`. */
export const MAIL: Mail = { to: 'ada@example.com', subject: 'Hello' };

import { randomUUID } from 'node:crypto';
import {
  AguiModule,
  type Agent,
  type Msg,
  type RuntimeContext,
} from 'nestjs-agui';
import { agentOf, reply } from './agents.js';
import type { TestApp } from './app.js';
import { eventsOf, inputOf, post, type Received } from './client.js';

/** What `AguiModule.forRoot` takes. */
export type RootOptions = NonNullable<Parameters<typeof AguiModule.forRoot>[0]>;

/** What `AguiModule.forRootAsync` takes. */
export type AsyncRootOptions = Parameters<typeof AguiModule.forRootAsync>[0];

/** How a test asks for an agent. */
export interface Ask {
  /** The whole path; default `/agui/run`. */
  path?: string;
  headers?: Record<string, string>;
  /** Changes of the run input. */
  input?: Record<string, unknown>;
}

/** The text that a run's events spell. */
export function textOfRun(events: readonly Received[]): string {
  return events
    .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
    .map(({ delta }) => delta as string)
    .join('');
}

/** What an agent says in a thread of its own, or the status that refuses the run. */
export async function ask(
  app: Pick<TestApp, 'url'>,
  { path, headers, input }: Ask = {},
): Promise<string | number> {
  const threadId = randomUUID();
  const response = await post(app, inputOf({ threadId, ...input }), {
    path,
    headers,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    return response.status;
  }
  return textOfRun(await eventsOf(response));
}

/** The JSON body of a refusal, or of a list. */
export async function getJson(
  { url }: Pick<TestApp, 'url'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, { headers });
  return { status: response.status, body: await response.json() };
}

/** An agent that says what a function makes of its run. */
export function tellerOf(
  tell: (messages: Msg[], context: RuntimeContext) => string | Promise<string>,
): Agent {
  return agentOf(async function* (messages, context) {
    yield reply.start();
    yield reply.text(await tell(messages, context));
    yield reply.end();
  });
}

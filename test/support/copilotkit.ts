import type { ModuleMetadata } from '@nestjs/common';
import { AguiModule, type AgentSource } from 'nestjs-agui';
import { CopilotKitModule } from 'nestjs-agui/copilotkit';
import {
  startApp,
  type Platform,
  type StartOptions,
  type TestApp,
} from './app.js';
import { inputOf } from './client.js';
import type { RootOptions } from './module-app.js';

/** What a client of CopilotKit says besides what it is about. */
export interface Manner {
  /** Where the runtime is; default `/api/copilotkit`. */
  base?: string;
  headers?: Record<string, string>;
}

/** A request as one of the two spellings has it. */
export interface Request {
  method: string;
  path: string;
  body?: unknown;
}

/** One of the two ways in which CopilotKit's clients ask their runtime. */
export interface Spelling {
  info(): Request;
  run(agentId: string, input: unknown): Request;
  connect(agentId: string, input: unknown): Request;
  stop(agentId: string, threadId: string, body?: unknown): Request;
}

const multiRoute: Spelling = {
  info: () => ({ method: 'GET', path: '/info' }),
  run: (agentId, body) => ({
    method: 'POST',
    path: `/agent/${encodeURIComponent(agentId)}/run`,
    body,
  }),
  connect: (agentId, body) => ({
    method: 'POST',
    path: `/agent/${encodeURIComponent(agentId)}/connect`,
    body,
  }),
  stop: (agentId, threadId, body) => ({
    method: 'POST',
    path: `/agent/${encodeURIComponent(agentId)}/stop/${encodeURIComponent(threadId)}`,
    body,
  }),
};

const envelope = (method: string, params?: object, body?: unknown) => ({
  method: 'POST',
  path: '',
  body: { method, params, body },
});

const singleRoute: Spelling = {
  info: () => envelope('info'),
  run: (agentId, body) => envelope('agent/run', { agentId }, body),
  connect: (agentId, body) => envelope('agent/connect', { agentId }, body),
  stop: (agentId, threadId, body) =>
    envelope('agent/stop', { agentId, threadId }, body),
};

export const SPELLINGS: readonly [name: string, Spelling][] = [
  ['several routes', multiRoute],
  ['a single route', singleRoute],
];

/** Sends a request as CopilotKit's clients do: what is posted is always declared as JSON. */
export function send(
  { url }: Pick<TestApp, 'url'>,
  { method, path, body }: Request,
  { base = '/api/copilotkit', headers = {} }: Manner = {},
): Promise<Response> {
  return fetch(url + base + path, {
    method,
    headers: {
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The input of a run as clients from before AG-UI 1.0 send it. */
export const oldInput = (changes: Record<string, unknown> = {}) =>
  inputOf({ protocolVersion: undefined, ...changes });

/** An application that serves one agent to CopilotKit, too. */
export function serveCopilotKit(
  platform: Platform,
  agent: AgentSource,
  options: RootOptions = {},
  {
    copilotKit,
    imports = [],
    providers = [],
    ...start
  }: StartOptions &
    Pick<ModuleMetadata, 'imports' | 'providers'> & {
      copilotKit?: Parameters<typeof CopilotKitModule.forRoot>[0];
    } = {},
): Promise<TestApp> {
  return startApp(
    platform,
    {
      imports: [
        AguiModule.forRoot({ agents: { default: agent }, ...options }),
        CopilotKitModule.forRoot(copilotKit),
        ...imports,
      ],
      providers,
    },
    start,
  );
}

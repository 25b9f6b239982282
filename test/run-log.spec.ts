import { ForbiddenException } from '@nestjs/common';
import { jsonSchema } from 'ai';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { AguiError, type Agent } from 'nestjs-agui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentOf, reply, sayer, silentAgent } from './support/agents.js';
import {
  closeApps,
  PLATFORMS,
  serve,
  type Platform,
  type TestApp,
} from './support/app.js';
import { inputOf, openStream, post, run } from './support/client.js';
import { calls, useMockModels } from './support/mock-models.js';
import type { RootOptions } from './support/module-app.js';

const models = useMockModels();
afterEach(closeApps);

const ENDED = / ended: /;

/** The lines that say that a run has ended, as soon as there are so many. */
function linesOf(app: TestApp, count = 1): Promise<string[]> {
  return vi.waitFor(() => {
    const lines = app.log.filter((line) => ENDED.test(line));
    expect(lines).toHaveLength(count);
    return lines;
  });
}

/** What the log says of one run, its figures left out. */
async function logOf(
  platform: Platform,
  agent: Agent,
  options: RootOptions = {},
  input: Record<string, unknown> = {},
) {
  const app = await serve(platform, agent, options);
  const answer = await (await post(app, inputOf(input))).text();
  const [line] = await linesOf(app);
  const how = / ended: (.*);/.exec(line!)?.[1];
  return { app, line: line!, how, answer, complaints: app.complaints };
}

describe.each(PLATFORMS)('The log of a run on %s', (platform) => {
  it('should have one line: what ran, how it ended, how long it took, how much it said', async () => {
    const { line, answer, complaints, app } = await logOf(
      platform,
      sayer('größer', ' → '),
    );
    const events = answer.split('\n\n').length - 1;
    const bytes = Buffer.byteLength(answer);

    expect(line).toMatch(
      /^log: The run "r1" of thread "t1" \(agent "default"\) ended: success; \d+ ms, \d+ events, \d+ bytes\. AguiModule$/,
    );
    expect(line).toContain(` ${events} events, ${bytes} bytes.`);
    expect(complaints).toEqual([]);
    expect(app.log.filter((one) => one.includes('"r1"'))).toHaveLength(1);
  });

  it('should tell the bytes of a long run, whose frames go in many writes', async () => {
    const { line, answer } = await logOf(
      platform,
      sayer(...Array.from({ length: 2_000 }, (_, n) => `${n} `.repeat(40))),
    );
    expect(line).toContain(` ${Buffer.byteLength(answer)} bytes.`);
  });

  it.each<[string, Agent, RootOptions, string, RegExp[]]>([
    [
      'an agent that fails',
      agentOf(async function* () {
        yield reply.start();
        throw new Error('out of order');
      }),
      {},
      'error "INTERNAL_ERROR"',
      [/^error: The run "r1" .* failed\.[^]*out of order/],
    ],
    [
      'an agent that says why it failed',
      agentOf(async function* () {
        yield reply.start();
        throw new AguiError('Closed on Sundays', 'CLOSED');
      }),
      {},
      'error "CLOSED"',
      [/^error: The run "r1" .* failed\.[^]*Closed on Sundays/],
    ],
    [
      'an agent that takes too long',
      silentAgent([reply.start()]),
      { runTimeout: 20 },
      'error "TIMEOUT_ERROR"',
      [/^warn: The run "r1" .* took longer than 20 ms/],
    ],
    [
      'a question to the user',
      agentOf(async function* () {
        yield reply.start();
        yield { type: 'INTERRUPT', interrupt: { id: 'i', reason: 'input' } };
        yield reply.end();
      }),
      {},
      'interrupt',
      [],
    ],
  ])('should say how it ended: %s', async (_what, agent, options, how, why) => {
    const log = await logOf(platform, agent, options);
    expect(log.how).toBe(how);
    expect(log.complaints).toEqual(
      why.map((text) => expect.stringMatching(text) as string),
    );
  });

  it('should say that a run was refused, and why', async () => {
    const { how, complaints } = await logOf(
      platform,
      sayer('Hi'),
      {},
      { resume: [{ interruptId: 'i', status: 'resolved' }] },
    );
    expect(how).toBe('error "AGUI_INTERRUPT_CONTRACT_ERROR"');
    expect(complaints).toEqual([
      expect.stringMatching(/^warn: .*"resume" answers interrupts/),
    ]);
  });

  it('should have a line of a run that could not start', async () => {
    const app = await serve(platform, async () => {
      throw new ForbiddenException('Not you.');
    });
    expect((await post(app)).status).toBe(403);
    expect(await linesOf(app)).toEqual([
      expect.stringContaining('ended: error "HTTP_403";'),
    ]);
    expect(app.complaints).toEqual([]);
  });

  it('should have no line of what is no run', async () => {
    const app = await serve(platform, sayer('Hi'));
    expect((await post(app, '{')).status).toBe(400);
    const unknown = await post(app, inputOf(), { path: '/agui/run/nobody' });
    expect(unknown.status).toBe(404);
    await run(app);
    await (await post(app, inputOf(), { path: '/agui/connect' })).text();
    await linesOf(app);
  });

  it('should say that the client has left', async () => {
    const app = await serve(platform, silentAgent([reply.start()]));
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();
    expect(await linesOf(app)).toEqual([
      expect.stringContaining('ended: disconnected;'),
    ]);
    expect(app.complaints).toEqual([]);
  });

  it.each([
    ['of today', '1.0'],
    ['from before AG-UI 1.0', undefined],
  ])('should say that a client %s has cancelled', async (_age, version) => {
    const app = await serve(platform, silentAgent([reply.start()]));
    const stream = await openStream(app, inputOf({ protocolVersion: version }));
    await stream.untilType('RUN_STARTED');
    await post(app, { threadId: 't1' }, { path: '/agui/cancel' });
    expect(await linesOf(app)).toEqual([
      expect.stringContaining('ended: cancelled;'),
    ]);
  });

  it('should not be forged by ids', async () => {
    const evil = 'x"\n[Nest] 1 - LOG forged\u001B[2J\u2028';
    const { line, app } = await logOf(
      platform,
      sayer('Hi'),
      {},
      { threadId: evil, runId: evil.repeat(20) },
    );
    expect(line).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(line.length).toBeLessThan(600);
    expect(app.log.filter((one) => /^\[Nest\]/m.test(one))).toEqual([]);
  });

  describe('of an agent with a model', () => {
    const secrets = /top secret|ada@example\.com|4711/;

    /** An agent that is told secrets, passes them to tools, and says them. */
    async function whisper(options: RootOptions = {}) {
      models.script(
        calls('mail', { to: 'ada@example.com' }, 'c1'),
        calls('mail', { to: 4711 }, 'c2'),
        'The top secret is out.',
      );
      const mail = agentTool({
        inputSchema: jsonSchema<{ to: string }>(
          { type: 'object', properties: { to: { type: 'string' } } },
          {
            validate: (value) =>
              typeof (value as { to: unknown }).to === 'string'
                ? { success: true, value: value as { to: string } }
                : { success: false, error: new Error('to is no text') },
          },
        ),
        execute: () => 'top secret result',
      });
      const agent = new AiSdkAgent({
        model: models.model(),
        tools: { mail },
      });
      const { app } = await logOf(platform, agent, options, {
        messages: [{ id: 'u1', role: 'user', content: 'A top secret' }],
        state: { pin: '4711' },
      });
      return app;
    }

    it('should have no word of the conversation, not even of arguments that do not fit', async () => {
      const app = await whisper();
      expect(app.complaints).toEqual([
        expect.stringMatching(/^warn: The tool "mail" failed: AI_InvalidTool/),
      ]);
      expect(app.log.filter((line) => secrets.test(line))).toEqual([]);
    });

    it('should have all of it at debug with log-payloads', async () => {
      const app = await whisper({ logPayloads: true });
      const telling = app.log.filter((line) => secrets.test(line));
      expect(telling).toEqual([
        expect.stringMatching(/^debug: The run "r1" .* was given: .*A top/),
        expect.stringMatching(/^debug: The run "r1" .* said: .*is out/),
      ]);
      for (const said of ['ada@example.com', 'top secret result'])
        expect(telling[1]).toContain(said);
      expect(telling[1]).not.toContain('A top secret');
    });
  });
});

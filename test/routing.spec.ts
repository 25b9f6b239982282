import { afterEach, describe, expect, it, vi } from 'vitest';
import { AguiEndpoint, AguiModule, type RuntimeContext } from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { inputOf, post } from './support/client.js';
import {
  ask,
  getJson,
  tellerOf,
  type Ask,
  type RootOptions,
} from './support/module-app.js';

afterEach(closeApps);

const AGENTS = {
  default: sayer('default'),
  one: sayer('one'),
  two: sayer('two'),
  three: sayer('three'),
};

describe.each(PLATFORMS)('Routing on %s', (platform) => {
  function start(options: RootOptions = {}): Promise<TestApp> {
    return startApp(platform, {
      imports: [AguiModule.forRoot({ agents: AGENTS, ...options })],
    });
  }

  const byPath = (id: string): Ask => ({ path: `/agui/run/${id}` });
  const byHeader = (id: string): Ask => ({ headers: { 'x-agent-id': id } });
  const byBody = (agentId: unknown): Ask => ({
    input: { forwardedProps: { agentId } },
  });

  it('should prefer path to header to body to the default', async () => {
    const app = await start();
    expect(
      await ask(app, {
        ...byPath('one'),
        ...byHeader('two'),
        ...byBody('three'),
      }),
    ).toBe('one');
    expect(await ask(app, { ...byHeader('two'), ...byBody('three') })).toBe(
      'two',
    );
    expect(await ask(app, byBody('three'))).toBe('three');
    expect(await ask(app)).toBe('default');
  });

  it('should ask the configured default agent', async () => {
    const app = await start({ defaultAgentId: 'two' });
    expect(await ask(app)).toBe('two');
  });

  it('should answer 404 if the default agent is not there', async () => {
    const app = await start({ defaultAgentId: 'none' });
    expect(await ask(app)).toBe(404);
  });

  it('should read the configured header and no other', async () => {
    const app = await start({ agentIdHeader: 'X-My-Agent' });
    expect(await ask(app, { headers: { 'x-my-agent': 'one' } })).toBe('one');
    expect(await ask(app, byHeader('one'))).toBe('default');
  });

  it('should take blank ids for none', async () => {
    const app = await start();
    expect(await ask(app, { ...byHeader(' '), ...byBody('one') })).toBe('one');
    expect(await ask(app, byBody(''))).toBe('default');
    expect(await ask(app, byBody('  '))).toBe('default');
  });

  it.each([[5], [null], [{}], [['one']], [true]])(
    'should take %o in the body for no id',
    async (agentId) => {
      const app = await start();
      expect(await ask(app, byBody(agentId))).toBe('default');
    },
  );

  it.each([['text'], [['one']], [5], [null]])(
    'should survive %o as forwardedProps',
    async (forwardedProps) => {
      const app = await start();
      expect(await ask(app, { input: { forwardedProps } })).toBe('default');
    },
  );

  describe('to an unknown agent', () => {
    const UNKNOWN = [
      'none',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      'One',
      'one ',
      'one/..',
      '..',
      '<script>',
    ];

    it.each(UNKNOWN)(
      'should answer 404 for %s, without naming others',
      async (id) => {
        const app = await start();
        for (const how of [
          byPath(encodeURIComponent(id)),
          byHeader(id),
          byBody(id),
        ]) {
          // The header's own spaces are no part of its value.
          if (how.headers && id !== id.trim()) continue;
          const response = await post(app, inputOf(how.input), how);
          expect([id, response.status]).toEqual([id, 404]);
          const text = await response.text();
          expect(response.headers.get('content-type')).toContain('json');
          for (const other of ['default', 'two', 'three'])
            expect(text).not.toContain(other);
        }
      },
    );

    it('should say which one it was', async () => {
      const app = await start();
      const response = await post(app, inputOf(), byPath('none'));
      expect(await response.json()).toEqual({
        statusCode: 404,
        message: 'There is no agent "none" here.',
        error: 'Not Found',
      });
    });
  });

  it.each(['a b', 'a/b', 'ä', 'a%b', 'a?b', 'a#b', '__proto__', 'constructor'])(
    'should serve an agent with the id %s by its encoded path',
    async (id) => {
      const agents = Object.fromEntries([
        ['default', sayer('default')],
        [id, sayer(`it is ${id}`)],
      ]);
      const app = await start({ agents });
      expect(await ask(app, byPath(encodeURIComponent(id)))).toBe(
        `it is ${id}`,
      );
    },
  );

  it('should answer 4xx for a path that is no path', async () => {
    const app = await start();
    const status = await ask(app, byPath('%E0%A4%A'));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('should never take an empty path segment for an agent', async () => {
    const app = await start({ agents: { default: sayer('default') } });
    expect(['default', 404]).toContain(await ask(app, byPath('')));
    expect(await ask(app, byPath('one/two'))).toBe(404);
  });

  describe('with enablePathRouting: false', () => {
    it('should answer 404 on the path of an agent', async () => {
      const app = await start({ enablePathRouting: false });
      expect(await ask(app, byPath('one'))).toBe(404);
      expect(await ask(app, byPath('none'))).toBe(404);
    });

    it('should serve by header, body and default', async () => {
      const app = await start({ enablePathRouting: false });
      expect(await ask(app, byHeader('one'))).toBe('one');
      expect(await ask(app, byBody('two'))).toBe('two');
      expect(await ask(app)).toBe('default');
    });
  });

  describe('to an agent that is not exposed', () => {
    const agents = {
      ...AGENTS,
      hidden: { agent: sayer('hidden'), exposed: false },
    };

    it('should serve it by path', async () => {
      const app = await start({ agents });
      expect(await ask(app, byPath('hidden'))).toBe('hidden');
    });

    it('should serve it as the default', async () => {
      const app = await start({ agents, defaultAgentId: 'hidden' });
      expect(await ask(app)).toBe('hidden');
      expect(await ask(app, byBody(''))).toBe('hidden');
    });

    it('should not serve it by header or body, and answer as if it were not there', async () => {
      const app = await start({ agents, defaultAgentId: 'hidden' });
      const answers = await Promise.all(
        [byHeader('hidden'), byBody('hidden'), byHeader('nowhere')].map(
          async (how) => {
            const response = await post(app, inputOf(how.input), how);
            return `${response.status} ${await response.text()}`;
          },
        ),
      );
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]!.replace('hidden', 'nowhere')).toBe(answers[2]);
    });

    it('should leave it out of the list', async () => {
      const app = await start({ agents, listAgents: true });
      const { body } = await getJson(app, '/agui/agents');
      expect((body as { id: string }[]).map(({ id }) => id)).toEqual(
        Object.keys(AGENTS),
      );
    });
  });

  describe('GET agents', () => {
    it('should not be there by default', async () => {
      const app = await start();
      const { status, body } = await getJson(app, '/agui/agents');
      expect(status).toBe(404);
      expect(JSON.stringify(body)).not.toContain('one');
    });

    it('should list ids and capabilities', async () => {
      const capabilities = { streaming: { supported: true } };
      const app = await start({
        listAgents: true,
        agents: {
          plain: sayer('x'),
          able: { ...sayer('x'), getCapabilities: () => capabilities as never },
          later: {
            ...sayer('x'),
            getCapabilities: () => Promise.resolve(capabilities as never),
          },
          failing: {
            ...sayer('x'),
            getCapabilities: () => {
              throw new Error('secret detail');
            },
          },
          odd: {
            ...sayer('x'),
            getCapabilities: () => ({ custom: { size: 5n } }) as never,
          },
          worse: {
            ...sayer('x'),
            getCapabilities: () => Promise.reject(Object.create(null)),
          },
          made: () => sayer('x'),
        },
      });
      expect(await getJson(app, '/agui/agents')).toEqual({
        status: 200,
        body: [
          { id: 'plain' },
          { id: 'able', capabilities },
          { id: 'later', capabilities },
          { id: 'failing' },
          { id: 'odd', capabilities: { custom: { size: '5' } } },
          { id: 'worse' },
          { id: 'made' },
        ],
      });
      expect(app.log.join('\n')).toContain('"failing"');
    });

    it('should not wait for an agent that does not answer', async () => {
      const app = await start({
        listAgents: true,
        agents: {
          silent: {
            ...sayer('x'),
            getCapabilities: () => new Promise<never>(() => undefined),
          },
        },
      });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const listed = app.app.get(AguiEndpoint).list();
      await vi.advanceTimersByTimeAsync(5_000);

      expect(await listed).toEqual([{ id: 'silent' }]);
      vi.useRealTimers();
    });

    it('should be guarded like the run routes', async () => {
      let open = false;
      const app = await start({
        listAgents: true,
        guards: [{ canActivate: () => open }],
      });
      expect((await getJson(app, '/agui/agents')).status).toBe(403);
      expect(await ask(app)).toBe(403);
      open = true;
      expect((await getJson(app, '/agui/agents')).status).toBe(200);
      expect(await ask(app)).toBe('default');
    });
  });

  it('should hand forwardedProps to the agent as they came', async () => {
    const forwardedProps = {
      agentId: 'one',
      locale: 'fr',
      x: null,
      nested: { y: null, list: [null, 1] },
    };
    const app = await start({
      agents: {
        one: tellerOf((_messages, context: RuntimeContext) =>
          JSON.stringify(context.get('agui.forwardedProps')),
        ),
      },
    });
    expect(await ask(app, { input: { forwardedProps } })).toBe(
      JSON.stringify(forwardedProps),
    );
  });
});

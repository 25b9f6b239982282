import {
  Inject,
  Injectable,
  Scope,
  type CanActivate,
  type ModuleMetadata,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { AbstractAgent, EventType, HttpAgent } from '@ag-ui/client';
import { from } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { AguiAgent, AguiModule, AguiRuntimeContextResolver } from 'nestjs-agui';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { inputOf, run } from './support/client.js';
import {
  ask,
  getJson,
  tellerOf,
  textOfRun,
  type RootOptions,
} from './support/module-app.js';
import { Teller } from './support/routed-agents.js';

afterEach(closeApps);

describe.each(PLATFORMS)('Agents on %s', (platform) => {
  function start(
    providers: ModuleMetadata['providers'],
    options: RootOptions = {},
    imports: NonNullable<ModuleMetadata['imports']> = [],
  ) {
    return startApp(platform, {
      imports: [
        AguiModule.forRoot({ listAgents: true, ...options }),
        ...imports,
      ],
      providers,
    });
  }

  async function idsOf(app: { url: string }): Promise<string[]> {
    const { body } = await getJson(app, '/agui/agents');
    return (body as { id: string }[]).map(({ id }) => id);
  }

  const to = (id: string) => ({ path: `/agui/run/${id}` });

  describe('that are providers', () => {
    it('should serve one instance to all runs', async () => {
      let made = 0;
      @Injectable()
      @AguiAgent('counter')
      class Counter extends Teller {
        readonly number = ++made;

        tell() {
          return String(this.number);
        }
      }
      const app = await start([Counter]);
      const said = await Promise.all(
        Array.from({ length: 5 }, () => ask(app, to('counter'))),
      );
      expect(said).toEqual(['1', '1', '1', '1', '1']);
    });

    it.each([
      ['transient', Scope.TRANSIENT],
      ['request-scoped', Scope.REQUEST],
    ])('should make a %s one anew for each run', async (_name, scope) => {
      let made = 0;
      @Injectable({ scope })
      @AguiAgent('counter')
      class Counter extends Teller {
        readonly number = ++made;

        tell() {
          return String(this.number);
        }
      }
      const app = await start([Counter]);
      expect(await ask(app, to('counter'))).toBe('1');
      expect(await ask(app, to('counter'))).toBe('2');
      const said = await Promise.all(
        Array.from({ length: 3 }, () => ask(app, to('counter'))),
      );
      expect(new Set(said)).toEqual(new Set(['3', '4', '5']));
    });

    it('should inject the request into a request-scoped one', async () => {
      @Injectable({ scope: Scope.REQUEST })
      @AguiAgent('reader')
      class Reader extends Teller {
        constructor(
          @Inject(REQUEST)
          private readonly request: { headers: Record<string, string> },
        ) {
          super();
        }

        tell() {
          return this.request.headers['x-tenant']!;
        }
      }
      const app = await start([Reader]);
      const said = await Promise.all(
        ['a', 'b', 'c'].map((tenant) =>
          ask(app, { ...to('reader'), headers: { 'x-tenant': tenant } }),
        ),
      );
      expect(said).toEqual(['a', 'b', 'c']);
    });

    it('should share what is request-scoped among guard, resolver and agent of one run', async () => {
      let made = 0;
      @Injectable({ scope: Scope.REQUEST })
      class Session {
        readonly number = ++made;
        readonly seenBy: string[] = [];
      }
      @Injectable()
      class SessionGuard implements CanActivate {
        constructor(private readonly session: Session) {}

        canActivate() {
          this.session.seenBy.push('guard');
          return true;
        }
      }
      @Injectable()
      @AguiRuntimeContextResolver()
      class SessionResolver implements AguiRuntimeContextResolver {
        constructor(private readonly session: Session) {}

        resolve() {
          this.session.seenBy.push('resolver');
        }
      }
      @Injectable()
      @AguiAgent('session')
      class SessionAgent extends Teller {
        constructor(private readonly session: Session) {
          super();
        }

        tell() {
          return `${this.session.number} ${this.session.seenBy.join()}`;
        }
      }
      const app = await start(
        [Session, SessionGuard, SessionResolver, SessionAgent],
        {
          guards: [SessionGuard],
        },
      );
      expect(await ask(app, to('session'))).toBe('1 guard,resolver');
      expect(await ask(app, to('session'))).toBe('2 guard,resolver');
    });

    it('should serve one that is not exposed by path only', async () => {
      @AguiAgent('hidden', { exposed: false })
      class Hidden extends Teller {
        tell() {
          return 'hidden';
        }
      }
      const app = await start([Hidden]);
      expect(await ask(app, to('hidden'))).toBe('hidden');
      expect(await ask(app, { headers: { 'x-agent-id': 'hidden' } })).toBe(404);
      expect(await idsOf(app)).toEqual([]);
    });

    it('should serve undecorated ones under the names of their providers', async () => {
      class Weather extends Teller {
        tell() {
          return 'sunny';
        }
      }
      abstract class News {}
      class PaperNews extends Teller {
        tell() {
          return 'news';
        }
      }
      const app = await start([
        Weather,
        { provide: News, useClass: PaperNews },
        { provide: 'chess', useClass: Weather },
        { provide: Symbol('cards'), useFactory: () => sayer('ace') },
        { provide: 'dice', useValue: sayer('six') },
      ]);
      expect(await idsOf(app)).toEqual([
        'Weather',
        'News',
        'chess',
        'cards',
        'dice',
      ]);
      expect(await ask(app, to('Weather'))).toBe('sunny');
      expect(await ask(app, to('News'))).toBe('news');
      expect(await ask(app, to('chess'))).toBe('sunny');
      expect(await ask(app, to('cards'))).toBe('ace');
      expect(await ask(app, to('dice'))).toBe('six');
    });

    it('should serve an undecorated instance once, whatever its tokens', async () => {
      const agent = sayer('one');
      const app = await start([
        { provide: 'first', useValue: agent },
        { provide: 'second', useFactory: () => agent },
        { provide: 'third', useExisting: 'first' },
      ]);
      expect(await idsOf(app)).toEqual(['first']);
    });

    it('should not serve what only looks like an agent', async () => {
      const everyMethod = new Proxy({}, { get: () => () => undefined });
      const app = await start([
        {
          provide: 'runnable',
          useValue: { lc_runnable: true, streamEvents() {} },
        },
        { provide: 'job', useValue: { run() {} } },
        { provide: 'mock', useFactory: () => [everyMethod] },
        { provide: 'agent class', useValue: Teller },
        { provide: 'list', useValue: [sayer('x')] },
      ]);
      expect(await idsOf(app)).toEqual([]);
    });

    it('should serve an AbstractAgent of @ag-ui/client', async () => {
      class Protocol extends AbstractAgent {
        run({
          threadId,
          runId,
        }: Parameters<AbstractAgent['run']>[0]): ReturnType<
          AbstractAgent['run']
        > {
          const messageId = 'm';
          return from([
            { type: EventType.RUN_STARTED, threadId, runId },
            {
              type: EventType.TEXT_MESSAGE_START,
              messageId,
              role: 'assistant',
            },
            {
              type: EventType.TEXT_MESSAGE_CONTENT,
              messageId,
              delta: 'protocol',
            },
            { type: EventType.TEXT_MESSAGE_END, messageId },
            { type: EventType.RUN_FINISHED, threadId, runId },
          ]) as never;
        }
      }
      const remote = await start([], { agents: { default: sayer('remote') } });
      const app = await start([
        { provide: 'protocol', useValue: new Protocol() },
        {
          provide: 'remote',
          useFactory: () => new HttpAgent({ url: `${remote.url}/agui/run` }),
        },
      ]);
      expect(await idsOf(app)).toEqual(['protocol', 'remote']);
      expect(await ask(app, to('protocol'))).toBe('protocol');
      expect(await ask(app, to('remote'))).toBe('remote');
    });
  });

  it('should keep parallel runs of one agent apart', async () => {
    const app = await start([], {
      agents: {
        default: tellerOf(async (_messages, context) => {
          await new Promise((resolve) =>
            setTimeout(resolve, Math.random() * 5),
          );
          const tools = context.toolkit.list().map(({ name }) => name);
          const state = context.get('agui.state') as { n: number };
          return `${context.get('agui.runId')} ${tools.join()} ${state.n}`;
        }),
      },
    });
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const said = await Promise.all(
      numbers.map(async (n) =>
        textOfRun(
          await run(
            app,
            inputOf({
              threadId: `t${n}`,
              runId: `r${n}`,
              state: { n },
              tools: [{ name: `tool${n}`, description: '', parameters: {} }],
            }),
          ),
        ),
      ),
    );
    expect(said).toEqual(numbers.map((n) => `r${n} tool${n} ${n}`));
  });
});

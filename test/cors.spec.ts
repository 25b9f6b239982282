import http from 'node:http';
import { once } from 'node:events';
import fastifyCors from '@fastify/cors';
import { Controller, Get, Post } from '@nestjs/common';
import cors from 'cors';
import { AguiModule } from 'nestjs-agui';
import { afterEach, describe, expect, it } from 'vitest';
import { sayer } from './support/agents.js';
import {
  asFastify,
  closeApps,
  PLATFORMS,
  serve,
  startApp,
  type Platform,
  type StartOptions,
  type TestApp,
} from './support/app.js';
import { inputOf } from './support/client.js';
import { SPELLINGS } from './support/spellings.js';

const FRIEND = 'https://app.example.com';
const STRANGER = 'https://evil.example.com';

interface Answer {
  status: number;
  /** Each header as often as it was sent, in lower case. */
  all(name: string): string[];
}

interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(
  { port }: TestApp,
  origin: string,
  { method = 'POST', path = '/agui/run', headers = {}, body }: Ask = {},
): Promise<Answer> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: {
      origin,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  request.end(
    method === 'POST' ? (body ?? JSON.stringify(inputOf())) : undefined,
  );
  const [response] = (await once(request, 'response')) as [
    http.IncomingMessage,
  ];
  response.resume();
  await once(response, 'end');
  return {
    status: response.statusCode!,
    all: (name) =>
      response.rawHeaders.filter(
        (_value, index, list) =>
          index % 2 === 1 && list[index - 1]!.toLowerCase() === name,
      ),
  };
}

function preflight(
  app: TestApp,
  origin: string,
  path?: string,
): Promise<Answer> {
  return ask(app, origin, {
    method: 'OPTIONS',
    path,
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-agent-id',
    },
  });
}

const allowed = (answer: Answer) => answer.all('access-control-allow-origin');

@Controller('own')
class OwnController {
  @Get('agents')
  list(): string {
    return 'mine';
  }

  @Post('run/further/away')
  run(): string {
    return 'mine';
  }
}

/** Ways in which an application has a CORS policy of its own. */
const OWN_POLICIES: readonly [string, readonly Platform[], StartOptions][] = [
  [
    'app.enableCors',
    PLATFORMS,
    { configure: (app) => app.enableCors({ origin: [FRIEND] }) },
  ],
  [
    'NestFactory.create({ cors })',
    PLATFORMS,
    { nest: { cors: { origin: [FRIEND] } } },
  ],
  [
    'app.use(cors())',
    PLATFORMS,
    { configure: (app) => app.use(cors({ origin: [FRIEND] })) },
  ],
  [
    '@fastify/cors',
    ['fastify'],
    {
      configure: (app) =>
        asFastify(app).register(fastifyCors as never, { origin: [FRIEND] }),
    },
  ],
];

describe.each(PLATFORMS)('CORS on %s', (platform) => {
  afterEach(closeApps);

  it('should let any origin in by default, without credentials', async () => {
    const app = await serve(platform, sayer('Hi'));
    const before = await preflight(app, FRIEND);
    const answer = await ask(app, FRIEND);

    expect(before.status).toBe(204);
    expect(allowed(before)).toEqual(['*']);
    expect(before.all('access-control-allow-methods').join()).toContain('POST');
    expect(before.all('access-control-allow-headers')).toEqual([
      'content-type,x-agent-id',
    ]);
    expect(answer.status).toBe(200);
    expect(allowed(answer)).toEqual(['*']);
    for (const one of [before, answer])
      expect(one.all('access-control-allow-credentials')).toEqual([]);
  });

  it('should answer preflights of every route it has', async () => {
    const app = await serve(
      platform,
      sayer('Hi'),
      { listAgents: true },
      { configure: (own) => own.setGlobalPrefix('api') },
    );
    for (const path of ['run', 'run/default', 'run/a%20b?c=d', 'agents'])
      expect(
        allowed(await preflight(app, FRIEND, `/api/agui/${path}`)),
      ).toEqual(['*']);
  });

  it('should let in the origins that are listed, and no others', async () => {
    const app = await serve(platform, sayer('Hi'), {
      corsAllowedOrigins: [FRIEND, 'https://other.example.com'],
    });
    const friends = [await preflight(app, FRIEND), await ask(app, FRIEND)];
    const strangers = [
      await preflight(app, STRANGER),
      await ask(app, STRANGER),
    ];

    expect(friends.map(allowed)).toEqual([[FRIEND], [FRIEND]]);
    expect(strangers.map(allowed)).toEqual([[], []]);
    for (const answer of [...friends, ...strangers])
      expect(answer.all('vary').join()).toContain('Origin');
  });

  it('should say nothing of CORS when it is off', async () => {
    const app = await serve(platform, sayer('Hi'), { corsEnabled: false });

    expect((await preflight(app, FRIEND)).status).toBe(404);
    expect(allowed(await ask(app, FRIEND))).toEqual([]);
  });

  it.each<[string, Ask, number]>([
    ['malformed JSON', { body: '{' }, 400],
    ['an invalid input', { body: '{}' }, 400],
    ['an unknown agent', { path: '/agui/run/nobody' }, 404],
    ['an Accept it cannot serve', { headers: { accept: 'text/html' } }, 406],
    ['a body that is too large', { body: `"${'x'.repeat(3000)}"` }, 413],
    ['another content type', { headers: { 'content-type': 'text/a' } }, 415],
  ])('should mark the answer to %s', async (_name, request, status) => {
    const app = await serve(platform, sayer('Hi'), { bodyLimit: 2000 });
    const answer = await ask(app, FRIEND, request);

    expect(answer.status).toBe(status);
    expect(allowed(answer)).toEqual(['*']);
  });

  it('should not ask guards about preflights, and mark their refusals', async () => {
    const app = await serve(platform, sayer('Hi'), {
      guards: [{ canActivate: () => false }],
    });

    expect((await preflight(app, FRIEND)).status).toBe(204);
    const answer = await ask(app, FRIEND);
    expect(answer.status).toBe(403);
    expect(allowed(answer)).toEqual(['*']);
  });

  it('should leave other routes alone', async () => {
    const app = await serve(
      platform,
      sayer('Hi'),
      {},
      { controllers: [OwnController] },
    );

    const get = await ask(app, FRIEND, { method: 'GET', path: '/own/agents' });
    expect(get.status).toBe(200);
    expect(allowed(get)).toEqual([]);
    const post = await ask(app, FRIEND, { path: '/own/run/further/away' });
    expect(post.status).toBe(201);
    expect(allowed(post)).toEqual([]);
    expect((await preflight(app, FRIEND, '/own/agents')).status).toBe(404);
  });

  it.each(OWN_POLICIES.filter(([, on]) => on.includes(platform)))(
    'should leave the policy of %s as it is',
    async (_name, _on, start) => {
      const app = await serve(platform, sayer('Hi'), {}, start);

      const before = await preflight(app, FRIEND);
      expect(before.status).toBe(204);
      expect(allowed(before)).toEqual([FRIEND]);
      const answer = await ask(app, FRIEND);
      expect(answer.status).toBe(200);
      expect(allowed(answer)).toEqual([FRIEND]);
      expect(allowed(await ask(app, FRIEND, { body: '{' }))).toEqual([FRIEND]);
      expect(allowed(await preflight(app, STRANGER))).toEqual([]);
      expect(allowed(await ask(app, STRANGER))).toEqual([]);
    },
  );

  it('should leave a header that the application has set by itself', async () => {
    const app = await serve(
      platform,
      sayer('Hi'),
      {},
      {
        configure: (own) =>
          own.use(
            (
              _request: unknown,
              response: http.ServerResponse,
              next: () => void,
            ) => {
              response.setHeader('Access-Control-Allow-Origin', FRIEND);
              next();
            },
          ),
      },
    );

    expect(allowed(await ask(app, STRANGER))).toEqual([FRIEND]);
    expect(allowed(await preflight(app, STRANGER))).toEqual([FRIEND]);
  });

  it.each(SPELLINGS[platform].filter((path) => !path.startsWith('//')))(
    'should know the path when it is written as %s',
    async (path) => {
      const app = await serve(platform, sayer('Hi'));

      const before = await preflight(app, STRANGER, path);
      expect([before.status, allowed(before)]).toEqual([204, ['*']]);
      const answer = await ask(app, STRANGER, { path });
      expect([answer.status, allowed(answer)]).toEqual([200, ['*']]);
    },
  );

  it('should keep to the policy of each of two modules', async () => {
    const agents = { default: sayer('Hi') };
    const app = await startApp(platform, {
      imports: [
        AguiModule.forRoot({ agents, pathPrefix: '/open' }),
        AguiModule.forRoot({
          agents,
          pathPrefix: '/closed',
          corsAllowedOrigins: [FRIEND],
        }),
      ],
    });
    const to = async (path: string) => [
      allowed(await preflight(app, STRANGER, path)),
      allowed(await ask(app, STRANGER, { path })),
    ];

    expect(await to('/open/run')).toEqual([['*'], ['*']]);
    expect(await to('/closed/run')).toEqual([[], []]);
  });

  it('should keep to the policy of each of two modules, one inside the other', async () => {
    const agents = { default: sayer('Hi') };
    const app = await startApp(
      platform,
      {
        imports: [
          AguiModule.forRoot({ agents, pathPrefix: '/' }),
          AguiModule.forRoot({
            agents,
            pathPrefix: '/closed',
            corsAllowedOrigins: [FRIEND],
          }),
        ],
      },
      { configure: (own) => own.setGlobalPrefix('api') },
    );

    expect(allowed(await ask(app, STRANGER, { path: '/api/run' }))).toEqual([
      '*',
    ]);
    const closed = await ask(app, STRANGER, { path: '/api/closed/run' });
    expect(closed.status).toBe(200);
    expect(allowed(closed)).toEqual([]);
  });
});

describe('CORS for a part of an express application', () => {
  afterEach(closeApps);

  const partly = (path: string): StartOptions => ({
    configure: (app) =>
      app.use(path, cors({ origin: (_origin, allow) => allow(null, false) })),
  });

  it('should be left as it is where it applies', async () => {
    const app = await serve('express', sayer('Hi'), {}, partly('/agui'));

    expect(allowed(await ask(app, STRANGER))).toEqual([]);
    expect((await preflight(app, STRANGER)).status).toBe(404);
  });

  it('should not be mistaken for the policy of our routes elsewhere', async () => {
    const app = await serve('express', sayer('Hi'), {}, partly('/other'));

    expect(allowed(await ask(app, STRANGER))).toEqual(['*']);
    expect(allowed(await preflight(app, STRANGER))).toEqual(['*']);
  });
});

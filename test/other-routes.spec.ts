import {
  Body,
  Controller,
  Get,
  Module,
  Post,
  RequestMethod,
  VersioningType,
  type INestApplication,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AguiModule } from 'nestjs-agui';
import { afterEach, describe, expect, it } from 'vitest';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { inputOf, post, run, textOf } from './support/client.js';

afterEach(closeApps);

@Controller()
class LookAlikes {
  @Post(['admin/agui/run', 'admin/run', 'agui/running', 'agui/run/a/b'])
  echo(@Body() body: unknown) {
    return { length: JSON.stringify(body).length };
  }

  @Get('admin/agents')
  agents() {
    return [];
  }
}

const agents = { default: sayer('hello') };
const large = inputOf({ state: { text: 'x'.repeat(1_200_000) } });
const browser = { origin: 'https://app.example.com' };

describe.each(PLATFORMS)("The application's own routes on %s", (platform) => {
  const cases = [
    ['/agui', '/admin/agui/run'],
    ['/agui', '/agui/running'],
    ['/agui', '/agui/run/a/b'],
    ['/', '/admin/run'],
  ] as const;

  it.each(cases)(
    'should keep their parser and their origins beside %s: %s',
    async (pathPrefix, path) => {
      const app = await startApp(platform, {
        imports: [AguiModule.forRoot({ pathPrefix, agents })],
        controllers: [LookAlikes],
      });

      const bad = await post(app, '{bad', { path, headers: browser });
      expect(bad.status).toBe(400);
      expect(await bad.json()).not.toHaveProperty('errors');
      expect((await post(app, large, { path })).status).toBe(413);
      const good = await post(app, { a: 1 }, { path, headers: browser });
      expect(good.status).toBe(201);
      expect(await good.json()).toEqual({ length: 7 });
      expect(good.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('should not be opened to other origins by a name like ours', async () => {
    const app = await startApp(platform, {
      imports: [AguiModule.forRoot({ pathPrefix: '/', agents })],
      controllers: [LookAlikes],
    });

    const answer = await fetch(`${app.url}/admin/agents`, { headers: browser });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

const routed = RouterModule.register([{ path: 'tenant', module: AguiModule }]);

@Module({ imports: [AguiModule.forRoot({ agents }), routed] })
class Routed {}

const PLACES: [string, (app: INestApplication) => unknown, string][] = [
  ['a global prefix', (app) => app.setGlobalPrefix('api'), '/api/agui/run'],
  [
    'a prefix with a parameter',
    (app) => app.setGlobalPrefix('/t/:tenant/'),
    '/t/a.b/agui/run',
  ],
  [
    'no prefix, being excluded',
    (app) =>
      app.setGlobalPrefix('api', {
        exclude: [{ path: 'agui/run', method: RequestMethod.POST }],
      }),
    '/agui/run',
  ],
  [
    'a prefix and a version',
    (app) =>
      app
        .setGlobalPrefix('api')
        .enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
    '/api/v2/agui/run',
  ],
  [
    'a version with a prefix of its own',
    (app) =>
      app.enableVersioning({
        type: VersioningType.URI,
        prefix: 'version-',
        defaultVersion: '2',
      }),
    '/version-2/agui/run',
  ],
];

describe.each(PLATFORMS)('Our routes on %s', (platform) => {
  const answers = async (app: TestApp, path: string) => {
    const answer = await post(app, large, { path, headers: browser });
    await answer.text();
    const bad = await post(app, '{bad', { path });
    const { errors } = (await bad.json()) as { errors?: unknown[] };
    return {
      status: answer.status,
      origin: answer.headers.get('access-control-allow-origin'),
      badStatus: bad.status,
      badMembers: errors?.length,
    };
  };
  const OURS = { status: 200, origin: '*', badStatus: 400, badMembers: 1 };

  it.each(PLACES)('should be known below %s', async (_, configure, path) => {
    const imports = [AguiModule.forRoot({ agents })];
    const app = await startApp(platform, { imports }, { configure });
    expect(await answers(app, path)).toEqual(OURS);
  });

  it('should be known below the path that RouterModule gives the module', async () => {
    const app = await startApp(platform, { imports: [Routed] });
    expect(await answers(app, '/tenant/agui/run')).toEqual(OURS);
    expect(
      textOf(await run(app, inputOf(), { path: '/tenant/agui/run' })),
    ).toBe('hello');
  });
});

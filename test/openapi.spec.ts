import {
  Body,
  Controller,
  Get,
  Module,
  Post,
  Req,
  Res,
  ServiceUnavailableException,
  VersioningType,
  type DynamicModule,
  type INestApplication,
  type ModuleMetadata,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import {
  ApiBearerAuth,
  ApiExcludeController,
  ApiOperation,
  ApiProperty,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { afterEach, describe, expect, it } from 'vitest';
import { AguiController, AguiModule } from 'nestjs-agui';
import { AiSdkAgentModule } from 'nestjs-agui/ai-sdk';
import { CopilotKitModule } from 'nestjs-agui/copilotkit';
import { sayer } from './support/agents.js';
import { closeApps, PLATFORMS } from './support/app.js';
import {
  eventsOf,
  inputOf,
  post,
  typesOf,
  type PostOptions,
} from './support/client.js';
import { useMockModels } from './support/mock-models.js';
import type { RootOptions } from './support/module-app.js';
import {
  documentOf,
  faultsOf,
  operationsOf,
  schemaOf,
  startDocumented,
  tryOut,
} from './support/openapi.js';
import { objectionsTo } from './support/threads.js';

const RUN = [
  'RUN_STARTED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'RUN_FINISHED',
];

const models = useMockModels();

const root = (options: RootOptions = {}) =>
  AguiModule.forRoot({ agents: { default: sayer('Hello') }, ...options });

class Message {
  @ApiProperty()
  subject: string;
}

@Controller('letters')
class Letters {
  @Post()
  send(@Body() _letter: Message): void {}

  @Get('run')
  run(): void {}
}

interface Refused extends PostOptions {
  body?: unknown;
  runTimeout?: number;
}

const OTHER = { id: 'u1', role: 'user', content: 'Something else' };

/** What makes an application refuse in all ways. */
const REFUSING: RootOptions = {
  bodyLimit: 1000,
  serverSideMemory: true,
  divergence: 'reject',
  agents: {
    default: sayer('Hello'),
    broken: () => Promise.reject(new Error('broken')),
    unreachable: () => Promise.reject(new ServiceUnavailableException()),
    slow: () => new Promise<never>(() => undefined),
  },
};

/** An application on Express; the platform makes no difference to its document. */
function start(
  imports: ModuleMetadata['imports'],
  configure?: (app: INestApplication) => unknown,
) {
  return startDocumented('express', { imports }, configure);
}

describe.each(PLATFORMS)('The OpenAPI document on %s', (platform) => {
  afterEach(closeApps);

  it('should have examples that can be tried out', async () => {
    const app = await startDocumented(platform, { imports: [root()] });
    for (const path of ['/agui/run', '/agui/run/{agentId}']) {
      const response = await tryOut(app, path);
      const { content } = app.document.paths[path]!.post!.responses[200] as {
        content: object;
      };
      expect(Object.keys(content)).toContain(
        response.headers.get('content-type'),
      );
      const events = await eventsOf(response);
      expect(typesOf(events)).toEqual(RUN);
      expect(objectionsTo(events)).toEqual([]);
    }
    for (const path of ['/agui/connect', '/agui/connect/{agentId}'])
      expect(typesOf(await eventsOf(await tryOut(app, path)))).toEqual([
        'RUN_STARTED',
        'MESSAGES_SNAPSHOT',
        'STATE_SNAPSHOT',
        'RUN_FINISHED',
      ]);
    const cancelled = await tryOut(app, '/agui/cancel');
    expect(await cancelled.json()).toEqual({
      threadId: 'thread-1',
      cancelled: false,
    });
  });

  it.each<[string, number, Refused]>([
    ['/agui/run', 400, { body: '{' }],
    ['/agui/run', 400, { body: { threadId: 't' } }],
    ['/agui/run/{agentId}', 404, { path: '/agui/run/nobody' }],
    ['/agui/run', 406, { headers: { accept: 'text/html' } }],
    ['/agui/run', 409, { body: inputOf({ messages: [OTHER] }) }],
    ['/agui/run', 413, { body: inputOf({ state: 'x'.repeat(2000) }) }],
    ['/agui/run', 415, { headers: { 'content-type': 'text/plain' } }],
    ['/agui/run', 500, { headers: { 'x-agent-id': 'broken' } }],
    ['/agui/run', 503, { headers: { 'x-agent-id': 'unreachable' } }],
    ['/agui/run', 504, { headers: { 'x-agent-id': 'slow' }, runTimeout: 50 }],
    ['/agui/connect', 400, { body: '{' }],
    ['/agui/connect', 404, { body: { threadId: 'unknown' } }],
    ['/agui/connect', 406, { headers: { accept: 'text/html' } }],
    ['/agui/cancel', 400, { body: [] }],
    ['/agui/cancel', 404, { body: { threadId: 'unknown' } }],
  ])('should describe how %s refuses with %i (%#)', async (...refused) => {
    const [route, status, { body, path = route, headers, runTimeout }] =
      refused;
    const app = await startDocumented(platform, {
      imports: [root({ ...REFUSING, runTimeout })],
    });
    if (status === 409) await eventsOf(await post(app));
    const response = await post(app, body, { path, headers });
    expect(response.status).toBe(status);
    const { properties, required } = schemaOf(
      app.document,
      app.document.paths[route]!.post!,
      status,
    )!;
    const answer = Object.keys((await response.json()) as object);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(answer));
    expect(answer).toEqual(expect.arrayContaining(required));
  });
});

describe('The OpenAPI document', () => {
  afterEach(closeApps);

  class AdminModule {}
  Module({
    imports: [
      root({ pathPrefix: 'admin/agui', isGlobal: false, listAgents: true }),
    ],
  })(AdminModule);

  it.each(['3.0.0', '3.1.0', '3.2.0'])(
    'should be valid in version %s',
    async (version) => {
      const app = await startDocumented(
        'express',
        { imports: [root(), AdminModule], controllers: [Letters] },
        undefined,
        version,
      );
      expect(app.document.openapi).toBe(version);
      expect(await faultsOf(app.document)).toBeUndefined();
    },
  );

  it.each<
    [
      string,
      string[],
      ModuleMetadata['imports'],
      ((app: INestApplication) => unknown)?,
    ]
  >([
    [
      'a global prefix',
      ['/api/agui/run'],
      [root()],
      (app) => app.setGlobalPrefix('api'),
    ],
    [
      'a global prefix that does not concern it',
      ['/agui/run'],
      [root()],
      (app) => app.setGlobalPrefix('api', { exclude: ['agui/run'] }),
    ],
    [
      'a version',
      ['/v2/agui/run'],
      [root({ version: '2' })],
      (app) => app.enableVersioning(),
    ],
    [
      'several versions',
      ['/v1/agui/run', '/v2/agui/run'],
      [root({ version: ['1', '2'] })],
      (app) => app.enableVersioning(),
    ],
    [
      'a default version',
      ['/v3/agui/run'],
      [root()],
      (app) =>
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '3' }),
    ],
    ['a path of its own', ['/ai/chat/run'], [root({ pathPrefix: 'ai/chat' })]],
    [
      'a path that comes late',
      ['/late/run'],
      [
        AguiModule.forRootAsync({
          useFactory: async () => ({
            pathPrefix: '/late',
            agents: { default: sayer('Hello') },
          }),
        }),
      ],
    ],
    [
      'a router module',
      ['/team/agui/run'],
      [root(), RouterModule.register([{ path: 'team', module: AguiModule }])],
    ],
    [
      'several registrations',
      ['/agui/run', '/admin/agui/run'],
      [root(), AdminModule],
    ],
  ])('should have the paths of %s', async (_what, paths, ...how) => {
    const app = await start(...how);
    for (const path of paths)
      expect(typesOf(await eventsOf(await tryOut(app, path)))).toEqual(RUN);
    expect(documentOf(app.app)).toEqual(app.document);
  });

  it('should have the route of an agent without code', async () => {
    models.script('One', 'Two');
    const app = await start(
      [
        AiSdkAgentModule.forRoot({
          model: models.model(),
          path: '/helper',
          agui: { version: '1' },
        }),
      ],
      (nest) => nest.enableVersioning(),
    );
    for (const path of ['/v1/helper', '/v1/agui/run'])
      expect(typesOf(await eventsOf(await tryOut(app, path)))).toEqual(RUN);
    expect(app.document.paths['/v1/helper']!.post!.parameters).toEqual([]);
  });

  it('should have nothing of what is for CopilotKit’s clients only', async () => {
    const pathsOf = async (...imports: DynamicModule[]) =>
      Object.keys((await start(imports)).document.paths);
    const alone = await pathsOf(root());
    expect(alone).toContain('/agui/run');
    expect(await pathsOf(root(), CopilotKitModule.forRoot())).toEqual(alone);
  });

  it('should give every operation an id of its own', async () => {
    const { document } = await start([root(), AdminModule]);
    const ids = operationsOf(document).map(({ said }) => said.operationId);
    expect(ids).toHaveLength(11);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('should leave out what is switched off, for each registration', async () => {
    const { document } = await start([
      root({ enablePathRouting: false }),
      AdminModule,
    ]);
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/admin/agui/agents',
      '/admin/agui/cancel',
      '/admin/agui/connect',
      '/admin/agui/connect/{agentId}',
      '/admin/agui/run',
      '/admin/agui/run/{agentId}',
      '/agui/cancel',
      '/agui/connect',
      '/agui/run',
    ]);
  });

  it('should know how the application names agents', async () => {
    const { document } = await start([
      root({ agentIdHeader: 'X-Bot', defaultAgentId: 'butler' }),
    ]);
    const { paths } = document;
    expect(paths['/agui/run']!.post!.parameters).toMatchObject([
      { in: 'header', name: 'X-Bot', required: false },
    ]);
    expect(paths['/agui/run/{agentId}']!.post!.parameters).toMatchObject([
      { in: 'path', name: 'agentId', required: true, example: 'butler' },
    ]);
  });

  it('should keep what the application says of the routes', async () => {
    class Mine extends AguiController {
      @Post('run')
      @ApiOperation({ summary: 'Ask Ada' })
      override run(@Req() request: unknown, @Res() response: unknown) {
        return super.run(request, response);
      }
    }
    const { document } = await start([
      root({
        controller: Mine,
        decorators: [
          ApiBearerAuth(),
          ApiUnauthorizedResponse({ description: 'Who are you?' }),
        ],
      }),
    ]);
    const { post: said } = document.paths['/agui/run']!;
    expect(said).toMatchObject({
      operationId: 'Mine_run',
      summary: 'Ask Ada',
      security: [{ bearer: [] }],
      requestBody: { required: true },
      responses: {
        200: { content: { 'text/event-stream': {} } },
        401: { description: 'Who are you?' },
      },
    });
  });

  it('should leave the application’s own routes and schemas as they are', async () => {
    const app = await startDocumented('express', {
      imports: [root()],
      controllers: [Letters],
    });
    const { document } = app;
    expect(document.paths['/letters/run']!.get).not.toHaveProperty('summary');
    expect(document.components!.schemas).toMatchObject({
      Message: { properties: { subject: { type: 'string' } } },
      AguiMessage: { oneOf: expect.any(Array) as unknown },
    });
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components!.schemas).toHaveProperty(name!);
    expect(text).not.toContain('x-agui-route');
  });

  it('should have nothing of the routes if the application wants nothing', async () => {
    const { document } = await start([
      root({ decorators: [ApiExcludeController()] }),
    ]);
    expect(document.paths).toEqual({});
    expect(document.components).toEqual({ schemas: {} });
  });
});

import { Controller, Get } from '@nestjs/common';
import compression from 'compression';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, deferred, reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, typesOf } from './support/client.js';

const GZIP = { headers: { 'accept-encoding': 'gzip' } };

@Controller('long')
class LongController {
  @Get()
  long(): string {
    return 'x'.repeat(10_000);
  }
}

describe.each(PLATFORMS)('compression on %s', (platform) => {
  afterEach(closeApps);

  it.each([
    ['its defaults', {}],
    ['everything compressed', { threshold: 0, filter: () => true }],
  ])('should not hold events back with %s', async (_name, options) => {
    const steps = [deferred(), deferred()];
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        for (const [index, { promise }] of steps.entries()) {
          yield reply.text(`word ${index} `);
          await promise;
        }
        yield reply.end();
      }),
      {},
      {
        controllers: [LongController],
        configure: (own) => own.use(compression(options)),
      },
    );
    const stream = await openStream(app, inputOf(), GZIP);

    expect(stream.response.headers).not.toHaveProperty('content-encoding');
    await stream.until((text) => text.includes('word 0 '));
    steps[0]!.resolve();
    await stream.until((text) => text.includes('word 1 '));
    expect(stream.text).not.toContain('RUN_FINISHED');
    steps[1]!.resolve();
    await stream.ended;
    expect(typesOf(stream.events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should go on for other routes', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield reply.end();
      }),
      {},
      {
        controllers: [LongController],
        configure: (own) => own.use(compression()),
      },
    );
    const response = await fetch(`${app.url}/long`, GZIP);

    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toHaveLength(10_000);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS } from './support/app.js';
import { inputOf, openStream, post, run } from './support/client.js';
import { useTelemetry } from './support/telemetry.js';
import { serveTraced as serve, teller } from './support/traced-app.js';

const telemetry = useTelemetry();
afterEach(closeApps);

describe.each(PLATFORMS)('Metrics on %s', (platform) => {
  const agent = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': 'default',
  };

  it('should count runs, and what they said and cost', async () => {
    const app = await serve(platform, teller);
    const answers = [];
    for (const threadId of ['a', 'b']) {
      const response = await post(app, inputOf({ threadId }));
      answers.push(await response.text());
    }
    await telemetry.named('agui.run', 2);
    const succeeded = { ...agent, 'agui.run.outcome': 'success' };
    const call = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'acme',
      'gen_ai.request.model': 'small',
      'gen_ai.response.model': 'small-1',
    };
    const all = answers.join('');
    const tokens = (type: string, sum: number) => ({
      attributes: { ...call, 'gen_ai.token.type': type },
      value: { count: 2, sum },
    });
    const measured = await telemetry.measured();
    expect(measured).toMatchObject({
      'agui.runs': [{ attributes: succeeded, value: 2 }],
      'agui.active_runs': [{ attributes: agent, value: 0 }],
      'agui.run.duration': [{ attributes: succeeded, value: { count: 2 } }],
      'agui.run.events': [
        { attributes: agent, value: all.split('\n\n').length - 1 },
      ],
      'agui.run.bytes': [{ attributes: agent, value: Buffer.byteLength(all) }],
      'gen_ai.client.operation.duration': [
        { attributes: call, value: { count: 2 } },
      ],
      'gen_ai.client.token.usage': [tokens('input', 22), tokens('output', 10)],
    });
    expect(measured['agui.run.errors'] ?? []).toEqual([]);
    const { sum } = measured['agui.run.duration']![0]!.value as { sum: number };
    expect(sum).toBeGreaterThan(0.018);
    expect(sum).toBeLessThan(5);
  });

  it('should tell how many runs there are', async () => {
    const app = await serve(platform, silentAgent([reply.start()]));
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    expect((await telemetry.measured())['agui.active_runs']).toEqual([
      { attributes: agent, value: 1 },
    ]);
    stream.leave();
    await telemetry.named('agui.run');
    expect((await telemetry.measured())['agui.active_runs']).toEqual([
      { attributes: agent, value: -1 },
    ]);
  });

  it('should count failures by their codes', async () => {
    const app = await serve(platform, silentAgent([reply.start()]), {
      runTimeout: 20,
    });
    await run(app);
    await telemetry.named('agui.run');
    const measured = await telemetry.measured();
    expect(measured['agui.run.errors']).toEqual([
      { attributes: { ...agent, 'error.type': 'TIMEOUT_ERROR' }, value: 1 },
    ]);
    expect(measured['agui.runs']).toEqual([
      { attributes: { ...agent, 'agui.run.outcome': 'error' }, value: 1 },
    ]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { AguiError } from 'nestjs-agui';
import { afterEach, describe, expect, it } from 'vitest';
import { agentOf, reply, sayer, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS } from './support/app.js';
import { inputOf, openStream, run } from './support/client.js';
import {
  failureOf,
  REMOTE,
  traced,
  TRACEPARENT,
  useTelemetry,
} from './support/telemetry.js';
import { serveTraced as serve, teller } from './support/traced-app.js';

const telemetry = useTelemetry();
afterEach(closeApps);

describe.each(PLATFORMS)('Traces on %s', (platform) => {
  it('should go on from the headers of the request', async () => {
    const app = await serve(platform, teller);
    await run(app, inputOf(), { headers: TRACEPARENT });

    expect(await telemetry.tree()).toEqual({
      'agui.run': {
        'chat small': {},
        'execute_tool look': {},
        'in the agent': {},
      },
    });
    const [span] = await telemetry.named('agui.run');
    expect(span!.parentSpanContext).toMatchObject(REMOTE);
    for (const one of telemetry.ended())
      expect(one.spanContext().traceId).toBe(REMOTE.traceId);
  });

  it('should name things by the conventions for generative AI', async () => {
    const app = await serve(platform, teller);
    const events = await run(app);

    const [span] = await telemetry.named('agui.run');
    const finished = {
      'gen_ai.response.model': 'small-1',
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'gen_ai.usage.input_tokens': 11,
      'gen_ai.usage.output_tokens': 5,
    };
    expect(span!.kind).toBe(SpanKind.INTERNAL);
    expect(span!.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': 'default',
      'gen_ai.agent.name': 'default',
      'gen_ai.conversation.id': 't1',
      'agui.run.id': 'r1',
      'agui.run.outcome': 'success',
      'agui.run.events': events.length,
      'agui.run.bytes': expect.any(Number) as number,
      ...finished,
    });

    const [model] = await telemetry.named('chat small');
    expect(model!.kind).toBe(SpanKind.CLIENT);
    expect(model!.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'acme',
      'gen_ai.request.model': 'small',
      'gen_ai.response.id': 'answer-1',
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.cache_creation.input_tokens': 2,
      'gen_ai.usage.reasoning.output_tokens': 1,
      ...finished,
    });

    const [tool] = await telemetry.named('execute_tool look');
    expect(tool!.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.type': 'function',
    });
    for (const one of [span!, model!, tool!]) {
      expect(failureOf(one)).toBeUndefined();
      expect(one.duration[1]).toBeGreaterThan(3_000_000);
    }
  });

  it("should be part of the server's own span of the request, if there is one", async () => {
    const app = await serve(
      platform,
      sayer('Hi'),
      {},
      {
        configure: (nest) =>
          nest.use((_request: unknown, _response: unknown, next: () => void) =>
            traced('POST', next),
          ),
      },
    );
    await run(app, inputOf(), { headers: TRACEPARENT });
    expect(await telemetry.tree()).toEqual({ POST: { 'agui.run': {} } });
  });

  it('should not mix those of runs at the same time', async () => {
    const app = await serve(
      platform,
      agentOf(async function* (_messages, { sessionId }) {
        yield reply.start();
        for (let n = 0; n < 3; n++) {
          await sleep(1);
          traced(`step of ${sessionId}`, () => undefined);
          yield reply.text('.');
        }
        yield reply.end();
      }),
    );
    const threads = Array.from({ length: 10 }, (_, n) => `thread-${n}`);
    await Promise.all(
      threads.map((threadId) => run(app, inputOf({ threadId }))),
    );
    const runs = await telemetry.named('agui.run', threads.length);
    for (const threadId of threads) {
      const { spanId } = runs
        .find(
          ({ attributes }) => attributes['gen_ai.conversation.id'] === threadId,
        )!
        .spanContext();
      const steps = await telemetry.named(`step of ${threadId}`, 3);
      for (const { parentSpanContext } of steps)
        expect(parentSpanContext?.spanId).toBe(spanId);
    }
  });

  it('should say why a run failed, and what failed with it', async () => {
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield { type: 'MODEL_CALL_START', replyId: 'r', model: 'small' };
        throw new AguiError('Nobody is in.', 'CLOSED');
      }),
    );
    await run(app);
    const [span] = await telemetry.named('agui.run');
    const [model] = await telemetry.named('chat small');
    expect([failureOf(span!), failureOf(model!)]).toEqual(['CLOSED', 'CLOSED']);
    expect(span!.attributes['agui.run.outcome']).toBe('error');
    expect(span!.events).toMatchObject([
      {
        name: 'exception',
        attributes: {
          'exception.type': 'CLOSED',
          'exception.message': 'Nobody is in.',
        },
      },
    ]);
  });

  it('should end when the client leaves, without an error', async () => {
    const agent = silentAgent([
      reply.start(),
      { type: 'MODEL_CALL_START', replyId: 'r', model: 'small' },
    ]);
    const app = await serve(platform, agent);
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    stream.leave();
    const [span] = await telemetry.named('agui.run');
    const [model] = await telemetry.named('chat small');
    expect(span!.attributes['agui.run.outcome']).toBe('disconnected');
    expect([failureOf(span!), failureOf(model!)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('should have no tools that were not executed here, and say which failed', async () => {
    const say = (toolCallId: string) => ({
      replyId: 'r',
      toolCallId,
      toolCallName: 'look',
    });
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        for (const id of ['open', 'denied', 'broken']) {
          yield { type: 'TOOL_CALL_START', ...say(id) };
          yield { type: 'TOOL_CALL_END', ...say(id) };
        }
        yield { type: 'TOOL_RESULT_END', ...say('denied'), state: 'denied' };
        yield { type: 'TOOL_RESULT_END', ...say('broken'), state: 'error' };
        yield { type: 'TOOL_RESULT_END', ...say('unknown'), state: 'success' };
        yield reply.end();
      }),
    );
    await run(app);
    await telemetry.named('agui.run');
    const [tool] = await telemetry.named('execute_tool look');
    expect(tool!.attributes['gen_ai.tool.call.id']).toBe('broken');
    expect(failureOf(tool!)).toBe('error');
  });

  it('should have what a subagent said below its tool, even if that is told of late', async () => {
    const call = { replyId: 'r', toolCallId: 'c1', toolCallName: 'sub' };
    const said = { source: 'main/sub', metadata: { parentToolCallId: 'c1' } };
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        yield { type: 'TOOL_CALL_START', ...call };
        yield { type: 'TOOL_CALL_END', ...call };
        yield { type: 'TOOL_RESULT_END', ...call, state: 'success' };
        yield { type: 'MODEL_CALL_END', replyId: 's', model: 'm', ...said };
        yield reply.end();
      }),
    );
    await run(app);
    expect(await telemetry.tree()).toEqual({
      'agui.run': { 'execute_tool sub': { 'chat m': {} } },
    });
  });
});

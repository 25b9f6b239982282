import { describe, expect, it } from 'vitest';
import { BaseEventPropertiesEnricher } from './agui-event-enricher.js';
import { completeConfig } from './agui-adapter-config.js';

describe('completeConfig', () => {
  it('should fill in the defaults', () => {
    expect(completeConfig({})).toMatchObject({
      enableReasoning: false,
      emitTokenUsage: false,
      emitToolCallArgs: true,
      emitStateEvents: true,
      emitRunFinishedAfterError: false,
      runTimeout: 600_000,
      defaultToolMergeMode: 'MERGE_FRONTEND_PRIORITY',
      subagentEvents: 'custom',
      baseEventPropertiesEnricherEnabled: false,
      exposeErrors: false,
      enrichers: [],
    });
  });

  it('should take undefined for the default, and what is given for itself', () => {
    expect(
      completeConfig({
        emitToolCallArgs: undefined,
        emitStateEvents: false,
        runTimeout: '1m',
      }),
    ).toMatchObject({
      emitToolCallArgs: true,
      emitStateEvents: false,
      runTimeout: 60_000,
    });
  });

  it.each(['soon', -1, NaN, Infinity, '5 weeks'])(
    'should refuse the runTimeout %j',
    (runTimeout) => {
      expect(() => completeConfig({ runTimeout })).toThrow(
        `runTimeout is "${runTimeout}"; it must be milliseconds or a duration such as "10m".`,
      );
    },
  );

  it('should put the enricher of timestamps behind the others', () => {
    const enricher = { enrich: () => [] };

    expect(
      completeConfig({
        enrichers: [enricher],
        baseEventPropertiesEnricherEnabled: true,
      }).enrichers,
    ).toEqual([enricher, expect.any(BaseEventPropertiesEnricher)]);
  });
});

import type { RunAgentInput } from '@ag-ui/core';
import { describe, expect, it, vi } from 'vitest';
import type { Agent } from './agent.js';
import {
  AguiAgentRegistry,
  DuplicateAgentError,
  type AgentFactory,
} from './agui-agent.registry.js';
import { RuntimeContext } from './runtime-context.js';

const agentOf = (): Agent => ({ streamEvents: () => [] as never });
const context = new RuntimeContext();
const input = {} as RunAgentInput;

describe('AguiAgentRegistry', () => {
  it('should keep agents by id, in order', async () => {
    const registry = new AguiAgentRegistry();
    const a = agentOf();
    const b = { run: () => [] as never };

    registry.register('a', a).register('b', b, { exposed: false });

    expect(registry.ids()).toEqual(['a', 'b']);
    expect(registry.has('a')).toBe(true);
    expect(registry.has('c')).toBe(false);
    expect(registry.get('c')).toBeUndefined();
    expect(registry.get('a')).toMatchObject({
      id: 'a',
      exposed: true,
      instance: a,
    });
    expect(registry.get('b')).toMatchObject({ exposed: false, instance: b });
    expect(await registry.get('a')!.resolve(context, input)).toBe(a);
  });

  it('should make an agent of a factory for each run', async () => {
    const factory = vi.fn<AgentFactory>(async () => Promise.resolve(agentOf()));
    const registry = new AguiAgentRegistry().registerFactory('a', factory);
    const registered = registry.get('a')!;

    const first = await registered.resolve(context, input);
    const second = await registered.resolve(context, input);

    expect(registered.instance).toBeUndefined();
    expect(first).not.toBe(second);
    expect(factory).toHaveBeenCalledWith(context, input);
  });

  it('should say so when a factory makes no agent, or fails', async () => {
    const registry = new AguiAgentRegistry()
      .registerFactory('nothing', () => undefined as never)
      .registerFactory('failing', () => {
        throw new Error('no quota');
      });

    await expect(
      registry.get('nothing')!.resolve(context, input),
    ).rejects.toThrow('The factory of agent "nothing" returned no agent.');
    await expect(
      registry.get('failing')!.resolve(context, input),
    ).rejects.toThrow('no quota');
  });

  it.each([undefined, null, {}, { run: true }, 'agent', class {}])(
    'should refuse %s, which is no agent',
    (value) => {
      expect(() =>
        new AguiAgentRegistry().register('a', value as never),
      ).toThrow(
        'What was registered as agent "a" has neither streamEvents() nor run().',
      );
    },
  );

  it.each(['', '  ', undefined, null, 7])('should refuse the id %j', (id) => {
    const registry = new AguiAgentRegistry();

    expect(() => registry.register(id as never, agentOf())).toThrow(
      'An agent needs an id that is not blank (registered by hand).',
    );
    expect(() => registry.registerFactory(id as never, agentOf)).toThrow(
      TypeError,
    );
  });

  it('should refuse a second agent of one id', () => {
    const registry = new AguiAgentRegistry().register('a', agentOf());

    expect(() => registry.register('a', agentOf())).toThrow(
      DuplicateAgentError,
    );
    expect(() => registry.registerFactory('a', agentOf)).toThrow(
      'Two agents have the id "a" (registered twice). Give one of them another id, or unregister one first.',
    );
  });

  it('should forget an agent, and take another one in its place', () => {
    const registry = new AguiAgentRegistry().register('a', agentOf());
    const other = agentOf();

    expect(registry.unregister('a')).toBe(true);
    expect(registry.unregister('a')).toBe(false);
    expect(registry.has('a')).toBe(false);
    expect(registry.register('a', other).get('a')!.instance).toBe(other);
  });

  describe('agents that were found', () => {
    const found = (agent = agentOf()) => ({
      instance: agent,
      resolve: () => agent,
    });

    it('should give way to those registered by hand', () => {
      const registry = new AguiAgentRegistry();
      const mine = agentOf();

      expect(registry.discover('a', found(), 'A')).toBe(true);
      registry.register('a', mine);

      expect(registry.get('a')!.instance).toBe(mine);
      expect(() => registry.register('a', agentOf())).toThrow(
        DuplicateAgentError,
      );
      expect(registry.discover('a', found(), 'A')).toBe(false);
      expect(registry.get('a')!.instance).toBe(mine);
    });

    it('should not share an id', () => {
      const registry = new AguiAgentRegistry();
      registry.discover('a', found(), 'A');

      expect(() => registry.discover('a', found(), 'class B')).toThrow(
        'Two agents have the id "a" (A, class B).',
      );
    });

    it('should be exposed unless they say otherwise', () => {
      const registry = new AguiAgentRegistry();
      registry.discover('a', found(), 'A');
      registry.discover('b', { ...found(), exposed: false }, 'B');

      expect(registry.get('a')!.exposed).toBe(true);
      expect(registry.get('b')!.exposed).toBe(false);
    });

    it('should be found again after they were taken away', () => {
      const registry = new AguiAgentRegistry();
      registry.discover('a', found(), 'A');
      registry.unregister('a');

      expect(registry.discover('a', found(), 'A')).toBe(true);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { AguiAgentRegistry } from './agui-agent.registry.js';
import { AguiAgentResolver } from './agui-agent.resolver.js';

const agent = { streamEvents: () => [] as never };
const registry = new AguiAgentRegistry()
  .register('path', agent)
  .register('header', agent)
  .register('body', agent)
  .register('standard', agent)
  .register('hidden', agent, { exposed: false });
const resolver = new AguiAgentResolver(registry, 'standard');
const body = (agentId: unknown) => ({ forwardedProps: { agentId } });

describe('AguiAgentResolver', () => {
  it.each([
    ['path', { pathAgentId: 'path', headerAgentId: 'header' }, body('body')],
    ['header', { headerAgentId: 'header' }, body('body')],
    ['body', {}, body('body')],
    ['standard', {}, {}],
    ['standard', {}, { forwardedProps: null }],
    ['standard', {}, { forwardedProps: 'body' }],
    ['standard', {}, { forwardedProps: ['body'] }],
    ['standard', {}, body(7)],
    ['standard', { pathAgentId: '', headerAgentId: ' ' }, body('')],
  ])('should find %s', (id, selection, input) => {
    expect(resolver.requestedId(selection, input)).toBe(id);
    expect(resolver.resolve(selection, input)!.id).toBe(id);
  });

  it('should not fall back when the one asked for is not there', () => {
    const selection = { pathAgentId: 'nobody', headerAgentId: 'header' };

    expect(resolver.requestedId(selection, {})).toBe('nobody');
    expect(resolver.resolve(selection, {})).toBeUndefined();
    expect(resolver.resolve({}, body('nobody'))).toBeUndefined();
  });

  it('should let clients reach hidden agents by path only', () => {
    expect(resolver.resolve({ pathAgentId: 'hidden' }, {})!.id).toBe('hidden');
    expect(resolver.resolve({ headerAgentId: 'hidden' }, {})).toBeUndefined();
    expect(resolver.resolve({}, body('hidden'))).toBeUndefined();
  });

  it('should serve a hidden agent as the default one', () => {
    const hiddenByDefault = new AguiAgentResolver(registry, 'hidden');

    expect(hiddenByDefault.resolve({}, {})!.id).toBe('hidden');
    expect(hiddenByDefault.resolve({}, body('hidden'))).toBeUndefined();
  });
});

import { AbstractAgent, HttpAgent } from '@ag-ui/client';
import { describe, expect, it } from 'vitest';
import {
  isAgent,
  isAnyAgent,
  isProtocolAgent,
  isUnmistakablyAgent,
  type AnyAgent,
} from './agent.js';

const agent = { streamEvents: () => {} };
const protocolAgent = { run: () => {} };
// The client has a copy of RxJS of its own; its agents must be ours all the same.
const http: AnyAgent = new HttpAgent({ url: 'http://localhost' });

describe('isAgent and its like', () => {
  it('should know agents by their methods', () => {
    expect(isAgent(agent)).toBe(true);
    expect(isAgent(protocolAgent)).toBe(false);
    expect(isProtocolAgent(protocolAgent)).toBe(true);
    expect(isProtocolAgent(http)).toBe(true);
    expect(isProtocolAgent(agent)).toBe(false);
    expect([agent, protocolAgent, http].every(isAnyAgent)).toBe(true);
  });

  it.each([undefined, null, 'run', () => {}, { run: true }, {}])(
    'should not take %s for one',
    (value) => {
      expect(isAnyAgent(value)).toBe(false);
    },
  );
});

describe('isUnmistakablyAgent', () => {
  it('should know what can only be an agent', () => {
    expect(isUnmistakablyAgent(agent)).toBe(true);
    expect(isUnmistakablyAgent(http)).toBe(true);
    expect(isUnmistakablyAgent(AbstractAgent.prototype)).toBe(false);
  });

  it('should not take a job runner or a LangChain runnable for one', () => {
    expect(isUnmistakablyAgent(protocolAgent)).toBe(false);
    expect(isUnmistakablyAgent({ ...agent, lc_runnable: true })).toBe(false);
  });
});

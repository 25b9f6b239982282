import { describe, expect, it } from 'vitest';
import { AgentEventType } from './agent-event.js';

describe('AgentEventType', () => {
  it('should name each type after itself', () => {
    for (const [name, type] of Object.entries(AgentEventType))
      expect(type).toBe(name);
  });
});

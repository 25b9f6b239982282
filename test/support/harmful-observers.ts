import { setTimeout as sleep } from 'node:timers/promises';

const breaks = (): never => {
  throw new Error('broken observer');
};
const breaksLater = async () => {
  await sleep(1);
  breaks();
};
/** Surroundings that fail when they are asked for the nth time. */
const breaksAt = (nth: number) => {
  let asked = 0;
  return {
    around: <T>(act: () => T): T => (++asked === nth ? breaks() : act()),
  };
};

/** What observers may get wrong, and the word that the log has for it; nothing if it does no harm. */
export const HARMFUL_OBSERVERS: Record<
  string,
  { begin: () => unknown; fault?: string }
> = {
  ...Object.fromEntries(
    [1, 2, 3, 4].map((nth) => [
      `surroundings that fail at their call ${nth}`,
      { begin: () => breaksAt(nth), fault: 'broken observer' },
    ]),
  ),
  'surroundings that fail when they have acted': {
    begin: () => ({
      around: (act: () => unknown) => {
        act();
        breaks();
      },
    }),
    fault: 'broken observer',
  },
  'surroundings that return nothing': {
    begin: () => ({ around: (act: () => unknown) => void act() }),
  },
  'surroundings that act twice': {
    begin: () => ({
      around: (act: () => unknown) => {
        act();
        return act();
      },
    }),
  },
  'surroundings that are late': {
    begin: () => ({
      around: async (act: () => unknown) => {
        await sleep(1);
        return act();
      },
    }),
    fault: 'must call act',
  },
  'surroundings that are asynchronous': {
    begin: () => ({ around: async (act: () => unknown) => await act() }),
  },
  'surroundings that fail later': {
    begin: () => ({
      around: async (act: () => unknown) => {
        await act();
        breaks();
      },
    }),
    fault: 'broken observer',
  },
  'surroundings of tools that fail': {
    begin: () => ({ aroundTool: breaks }),
    fault: 'broken observer',
  },
  'surroundings of tools that return nothing': {
    begin: () => ({
      aroundTool: (_call: unknown, act: () => unknown) => void act(),
    }),
  },
  ...Object.fromEntries(
    ['agentEvent', 'event', 'end'].map((part) => [
      `an asynchronous ${part} that fails`,
      { begin: () => ({ [part]: breaksLater }), fault: 'broken observer' },
    ]),
  ),
  'an asynchronous end': { begin: () => ({ end: () => sleep(1) }) },
  'an asynchronous beginning that fails': {
    begin: breaksLater,
    fault: 'and at once',
  },
  'a beginning in a promise': {
    begin: async () => ({ end: breaks }),
    fault: 'and at once',
  },
  'a beginning that returns a list': {
    begin: () => [null],
    fault: 'must return an observation',
  },
  'a beginning that returns null': { begin: () => null },
  'parts that are no functions': {
    begin: () => ({ around: 1, event: 'x' }),
    fault: 'is not a function',
  },
};

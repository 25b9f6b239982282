// An agentic run: three turns of reasoning, text, four calls with results of 2 KB, state.
const pieces = (text) => text.match(/.{1,12}/g);
const call = (id, name) => ({
  toolCallId: `call-${id}`,
  toolCallName: name,
  args: pieces(
    JSON.stringify({
      city: 'Paris',
      days: 3,
      units: 'metric',
      about: 'the weather of the next days',
    }),
  ),
});

/** How much is said in each turn. */
export const TURNS = [
  {
    thoughts: 60,
    texts: 30,
    calls: [call(1, 'get_weather'), call(2, 'get_time')],
  },
  {
    thoughts: 40,
    texts: 30,
    calls: [call(3, 'get_weather'), call(4, 'calculate')],
  },
  { thoughts: 40, texts: 200, calls: [] },
];

/** What every tool answers: 2 KB. */
export const RESULT = JSON.stringify({
  rows: Array.from({ length: 32 }, (_, row) => ({
    row,
    name: `station ${row}`,
    value: row * 1.5,
    unit: '°C',
  })),
}).padEnd(2048);

/** What the agent says about its progress. */
export const ACTIVITY = { name: 'progress', value: { done: 1 } };

/** The shared state after a turn. */
export const stateOf = (turn) => ({
  step: turn,
  notes: Array.from({ length: turn + 1 }, (_, index) => `note ${index}`),
});

import { parseRunAgentInput } from '../dist/protocol/run-agent-input.js';
import { inputOf } from '../input.mjs';
import { inTurns, summary } from '../samples.mjs';
import { factor, ms, percent, table, verdict } from '../table.mjs';

export const title =
  'i: in process, a history of 4 MB: JSON.parse and validation';

const MOST = 2;

export async function run({ rounds }) {
  const text = inputOf('text 5', 4 * 2 ** 20);
  const figures = await inTurns(
    {
      'JSON.parse': () => JSON.parse(text),
      'JSON.parse and validation': () => parseRunAgentInput(JSON.parse(text)),
    },
    rounds,
    500,
  );
  return table(
    ['what', 'time', 'spread', '× JSON.parse', 'target'],
    Object.keys(figures).map((name) => {
      const { value, spread, ratio } = summary(figures, name, 'JSON.parse');
      return [
        name,
        ms(value),
        percent(spread),
        factor(ratio),
        name.endsWith('validation')
          ? verdict(ratio <= MOST, `≤ ${MOST} ×`)
          : '',
      ];
    }),
  );
}

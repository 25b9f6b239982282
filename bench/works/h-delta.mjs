import {
  agentAlone,
  framesByPlain,
  framesByUs,
  inputFor,
} from '../in-process.mjs';
import { inTurns, summary } from '../samples.mjs';
import { percent, table, verdict } from '../table.mjs';

export const title =
  'h: in process, from the agent’s event to its frame, per text delta, guard included';

const TOKENS = 1000;
const MOST = 0.0012;

export async function run({ rounds }) {
  const input = inputFor(`text ${TOKENS}`);
  const figures = await inTurns(
    {
      'the agent alone': () => agentAlone(input),
      'agent and JSON.stringify': () => framesByPlain(input),
      'agent, converter, guard, encoder': () => framesByUs(input),
    },
    rounds,
  );
  return table(
    ['what', 'per delta', 'spread', 'target'],
    Object.keys(figures).map((name) => {
      const { value, spread } = summary(figures, name);
      const each = value / TOKENS;
      return [
        name,
        `${(each * 1000).toFixed(2)} µs`,
        percent(spread),
        name.endsWith('encoder') ? verdict(each <= MOST, '≤ 1.2 µs') : '',
      ];
    }),
  );
}

import { AguiError } from 'nestjs-agui';

type Operation = (left: number, right: number) => number;

const OPERATIONS: Readonly<Record<string, [binding: number, Operation]>> = {
  '+': [1, (a, b) => a + b],
  '-': [1, (a, b) => a - b],
  '*': [2, (a, b) => a * b],
  '/': [2, (a, b) => a / divisor(b)],
  '%': [2, (a, b) => a % divisor(b)],
  '^': [3, (a, b) => a ** b],
};

/** How deep brackets, signs and powers may be nested. */
const MAX_DEPTH = 100;

/**
 * The value of an arithmetic expression.
 *
 * @throws AguiError if it has none; clients may read why.
 */
export function evaluate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/%^()]|\S/g) ?? [];
  let position = 0;
  let depth = 0;

  const operand = (): number => {
    const token = tokens[position++];
    if (token === '-') return -binary(3);
    if (token === '(') {
      const value = binary(1);
      if (tokens[position++] !== ')') throw problem('A bracket is missing.');
      return value;
    }
    if (token === undefined || !/^\d/.test(token))
      throw problem('This is no arithmetic expression.');
    return Number(token);
  };

  const binary = (least: number): number => {
    if (++depth > MAX_DEPTH) throw problem('This is nested too deeply.');
    let left = operand();
    for (;;) {
      const [binding, apply] = OPERATIONS[tokens[position] ?? ''] ?? [0];
      if (apply === undefined || binding < least) break;
      position++;
      // Powers bind to the right, all others to the left.
      left = apply(left, binary(binding === 3 ? 3 : binding + 1));
    }
    depth--;
    return left;
  };

  const value = binary(1);
  if (position < tokens.length)
    throw problem('This is no arithmetic expression.');
  if (Number.isNaN(value)) throw problem('This has no real value.');
  if (!Number.isFinite(value)) throw problem('The result is too large.');
  return value;
}

function divisor(value: number): number {
  if (value === 0) throw problem('Nothing can be divided by zero.');
  return value;
}

function problem(message: string): AguiError {
  return new AguiError(message, 'CALCULATION_ERROR');
}

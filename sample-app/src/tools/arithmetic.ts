type Operation = (left: number, right: number) => number;

const OPERATIONS: Readonly<Record<string, [binding: number, Operation]>> = {
  '+': [1, (a, b) => a + b],
  '-': [1, (a, b) => a - b],
  '*': [2, (a, b) => a * b],
  '/': [2, (a, b) => a / b],
  '%': [2, (a, b) => a % b],
  '^': [3, (a, b) => a ** b],
};

/**
 * The value of an arithmetic expression.
 *
 * @throws Error if it is none.
 */
export function evaluate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/%^()]|\S/g) ?? [];
  let position = 0;

  const operand = (): number => {
    const token = tokens[position++];
    if (token === '-') return -binary(3);
    if (token === '(') {
      const value = binary(1);
      if (tokens[position++] !== ')') throw new Error('A bracket is missing.');
      return value;
    }
    if (token === undefined || !/^\d/.test(token))
      throw new Error(`"${expression}" is no arithmetic expression.`);
    return Number(token);
  };

  const binary = (least: number): number => {
    let left = operand();
    for (;;) {
      const [binding, apply] = OPERATIONS[tokens[position] ?? ''] ?? [0];
      if (apply === undefined || binding < least) return left;
      position++;
      // Powers bind to the right, all others to the left.
      left = apply(left, binary(binding === 3 ? 3 : binding + 1));
    }
  };

  const value = binary(1);
  if (position < tokens.length)
    throw new Error(`"${expression}" is no arithmetic expression.`);
  return value;
}

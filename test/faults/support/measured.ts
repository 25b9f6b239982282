import { writeSync } from 'node:fs';

/** Tells whoever runs the suite what was measured. */
export function measured(what: string, figures: Record<string, number>): void {
  const told = Object.entries(figures).map(
    ([name, value]) => `  ${name}: ${Number(value.toFixed(2))}`,
  );
  writeSync(1, `measured: ${what}\n${told.join('\n')}\n`);
}

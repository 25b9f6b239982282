import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, vi } from 'vitest';

/** What a test's code has logged. */
export interface MutedLogs {
  /** Warnings and errors, with everything that was logged along with them. */
  text(): string;
  warnings(): string[];
}

/** Keeps the log quiet, and what was written to it. */
export function muteLogs(): MutedLogs {
  const written: { level: string; text: string }[] = [];
  beforeEach(() => {
    written.length = 0;
    for (const level of ['warn', 'error'] as const)
      vi.spyOn(Logger.prototype, level).mockImplementation(
        (...words: unknown[]) => {
          const text = words
            .map((word) => (typeof word === 'string' ? word : inspect(word)))
            .join(' ');
          written.push({ level, text });
        },
      );
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return {
    text: () => written.map(({ text }) => text).join('\n'),
    warnings: () =>
      written.filter(({ level }) => level === 'warn').map(({ text }) => text),
  };
}

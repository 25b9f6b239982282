// Figures as text.
export const count = (value) => Math.round(value).toLocaleString('en');
export const factor = (value) =>
  Number.isNaN(value) ? '' : `${value.toFixed(2)} ×`;
export const percent = (share) => `±${(share * 50).toFixed(1)} %`;
export const ms = (value) => `${value.toFixed(2)} ms`;
export const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/** Whether a target was reached, and which. */
export const verdict = (reached, target) =>
  `(${target}: ${reached ? 'reached' : '**not reached**'})`;

/** A Markdown table whose columns are aligned. */
export function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((row) => row[column].length)),
  );
  const line = (row) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0]), rule, ...all.slice(1).map(line)].join('\n');
}

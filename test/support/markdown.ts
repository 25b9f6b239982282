/** The code in a language, each piece without its fence. */
export function blocks(language: string, markdown: string): string[] {
  const fence = new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g');
  return [...markdown.matchAll(fence)].map(([, code]) => code!);
}

/** The file that a piece of code names in its first line. */
export function nameOf(code: string): string {
  const name = /^\/\/ (\S+\.ts)$/m.exec(code)?.[1];
  if (name === undefined)
    throw new Error(`This code names no file in its first line: ${code}`);
  return name;
}

/** The text below a heading, up to the next one of its level. */
export function section(markdown: string, title: string): string {
  const begin = markdown.indexOf(`\n## ${title}\n`);
  if (begin < 0) throw new Error(`There is no section "${title}".`);
  const end = markdown.indexOf('\n## ', begin + 1);
  return markdown.slice(begin, end < 0 ? undefined : end);
}

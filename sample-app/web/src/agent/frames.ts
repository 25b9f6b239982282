const END = /\r?\n\r?\n/;

/** Cuts an event stream into its frames, each with the blank line behind it. */
export function toFrames(): TransformStream<string, string> {
  let rest = '';
  return new TransformStream({
    transform(text, controller) {
      rest += text;
      for (let end = END.exec(rest); end; end = END.exec(rest)) {
        const length = end.index + end[0].length;
        controller.enqueue(rest.slice(0, length));
        rest = rest.slice(length);
      }
    },
    flush(controller) {
      if (rest) controller.enqueue(rest);
    },
  });
}

/** The JSON in a frame; undefined for a comment. */
export function dataOf(frame: string): string | undefined {
  const lines = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  if (lines.length === 0) return undefined;
  return lines.map((line) => line.slice(5).trimStart()).join('\n');
}

export function frameOf(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

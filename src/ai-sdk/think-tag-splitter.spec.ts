import { describe, expect, it } from 'vitest';
import { ThinkTagSplitter, type TextPiece } from './think-tag-splitter.js';

/** What a text becomes when it comes in these chunks: `[kind, text]`, neighbours of one kind joined. */
function split(...chunks: string[]): [TextPiece['kind'], string][] {
  const splitter = new ThinkTagSplitter();
  const pieces = [
    ...chunks.flatMap((chunk) => splitter.push(chunk)),
    ...splitter.end(),
  ];
  const joined: [TextPiece['kind'], string][] = [];
  for (const { kind, text } of pieces) {
    if (text === '') throw new Error('A piece is empty.');
    const last = joined.at(-1);
    if (last?.[0] === kind) last[1] += text;
    else joined.push([kind, text]);
  }
  return joined;
}

const text = (said: string) => ['text', said];
const thinking = (thought: string) => ['thinking', thought];

/** What models write, and what it means. */
const WRITTEN: [string, string, unknown[]][] = [
  ['plain text', 'Hello there.', [text('Hello there.')]],
  [
    'thoughts before the answer',
    '<think>plan</think>answer',
    [thinking('plan'), text('answer')],
  ],
  [
    'thoughts in the middle of the answer',
    'a<think>b</think>c',
    [text('a'), thinking('b'), text('c')],
  ],
  [
    'thoughts twice',
    '<think>a</think>b<think>c</think>d',
    [thinking('a'), text('b'), thinking('c'), text('d')],
  ],
  [
    'thoughts that are never closed',
    '<think>a long plan',
    [thinking('a long plan')],
  ],
  ['an unfinished opening tag', 'answer <thin', [text('answer <thin')]],
  ['an unfinished closing tag', '<think>plan</thin', [thinking('plan</thin')]],
  ['empty thoughts', '<think></think>answer', [text('answer')]],
  ['blank thoughts', '<think>\n\n</think>\n\nanswer', [text('answer')]],
  [
    'empty thoughts after others',
    '<think>a</think>b<think></think>c',
    [thinking('a'), text('bc')],
  ],
  [
    'blank lines around thoughts',
    '\n<think>\nplan\n</think>\n\nanswer\n',
    [thinking('\nplan\n'), text('answer\n')],
  ],
  ['nothing but thoughts', '<think>plan</think>\n', [thinking('plan')]],
  ['a stray closing tag', 'thought</think>answer', [text('thoughtanswer')]],
  [
    'an opening tag within thoughts',
    '<think>a <think> b</think>c',
    [thinking('a <think> b'), text('c')],
  ],
  [
    'code that quotes the tags',
    'Write `<think>` and `</think>` so.',
    [text('Write `<think>` and `</think>` so.')],
  ],
  [
    'a code block that quotes the tags',
    '```xml\n<think>no</think>\n```\n<think>yes</think>done',
    [text('```xml\n<think>no</think>\n```\n'), thinking('yes'), text('done')],
  ],
  [
    'backticks of another number within code',
    '``a ` <think>`` <think>b</think>c',
    [text('``a ` <think>`` '), thinking('b'), text('c')],
  ],
  [
    'backticks within thoughts',
    '<think>`</think>answer',
    [thinking('`'), text('answer')],
  ],
  [
    'a backtick that nothing closes on its line',
    'it`s\n<think>a</think>b',
    [text('it`s\n'), thinking('a'), text('b')],
  ],
  [
    'other tags and comparisons',
    'if a < b, <b>bold</b> </thinking> <<think>x</think>',
    [text('if a < b, <b>bold</b> </thinking> <'), thinking('x')],
  ],
  ['an indented answer', '    return 1;', [text('    return 1;')]],
  [
    'other scripts',
    '<think>計画 🧠</think>答え 🎉',
    [thinking('計画 🧠'), text('答え 🎉')],
  ],
];

describe('ThinkTagSplitter', () => {
  describe.each(WRITTEN)('%s', (_name, written, pieces) => {
    it('should be told apart in one piece', () => {
      expect(split(written)).toEqual(pieces);
    });

    it('should be told apart wherever it is cut, once or twice', () => {
      const told = new Set<string>();
      for (let one = 1; one < written.length; one++)
        for (let two = one; two < written.length; two++)
          told.add(
            JSON.stringify(
              split(
                written.slice(0, one),
                written.slice(one, two),
                written.slice(two),
              ),
            ),
          );

      expect([...told]).toEqual([JSON.stringify(pieces)]);
    });

    it('should be told apart unit by unit', () => {
      expect(split(...written.split(''))).toEqual(pieces);
    });
  });

  it('should hold nothing back that cannot become a tag', () => {
    const splitter = new ThinkTagSplitter();

    expect(splitter.push('Use `ls`')).toEqual([
      { kind: 'text', text: 'Use `ls`' },
    ]);
    expect(splitter.push(' or <')).toEqual([{ kind: 'text', text: ' or ' }]);
    expect(splitter.push('b>')).toEqual([{ kind: 'text', text: '<b>' }]);
  });

  it('should go on after something else came between', () => {
    const splitter = new ThinkTagSplitter();
    splitter.push('<think>pl');

    expect(splitter.end()).toEqual([]);
    expect(splitter.push('an</think>answer')).toEqual([
      { kind: 'thinking', text: 'an' },
      { kind: 'text', text: 'answer' },
    ]);
  });

  it('should take a long answer in its stride', () => {
    const line = 'a < b `c` <think>no</think>\n';
    const started = performance.now();

    expect(split(line.repeat(5000)).length).toBe(10_000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

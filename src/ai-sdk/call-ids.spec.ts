import type { LanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { CallIds } from './call-ids.js';

type Model = Extract<LanguageModel, { specificationVersion: 'v3' }>;
type Part = Record<string, unknown> & { type: string };

/** What becomes of the answers of a model in one run. */
async function answersOf(
  ids: CallIds,
  ...answers: Part[][]
): Promise<Part[][]> {
  return answersBy(ids, modelOf(answers), answers.length);
}

async function answersBy(
  ids: CallIds,
  made: LanguageModel,
  count = 1,
): Promise<Part[][]> {
  const model = ids.applyTo(made) as Model;
  const all: Part[][] = [];
  for (let n = 0; n < count; n++) {
    const { stream } = await model.doStream({ prompt: [] });
    const parts: Part[] = [];
    for await (const part of stream as unknown as AsyncIterable<Part>)
      parts.push(part);
    all.push(parts);
  }
  return all;
}

function modelOf(answers: Part[][]): Model {
  const model: Omit<Model, 'doGenerate'> = {
    specificationVersion: 'v3',
    provider: 'acme.chat',
    modelId: 'm1',
    supportedUrls: {},
    doStream: () =>
      Promise.resolve({
        stream: ReadableStream.from(answers.shift()!) as never,
      }),
  };
  return model as Model;
}

const whole = (toolCallId: string): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'f',
  input: '{}',
});
const streamed = (id: string): Part[] => [
  { type: 'tool-input-start', id, toolName: 'f' },
  { type: 'tool-input-delta', id, delta: '{}' },
  { type: 'tool-input-end', id },
  whole(id),
];

/** The ids that the parts of an answer have. */
const idsIn = (parts: Part[]) =>
  parts.map((part) => part.id ?? part.toolCallId);

describe('CallIds', () => {
  it('should leave ids that are good, and all other parts', async () => {
    const answer: Part[] = [
      { type: 'text-delta', id: '0', delta: 'Hi' },
      ...streamed('c1'),
      { type: 'finish' },
    ];

    expect(await answersOf(new CallIds(new Set()), answer)).toEqual([answer]);
  });

  it.each([[undefined], [null], [''], ['  ']])(
    'should make an id where the provider gives %j, the same one in all parts',
    async (none) => {
      const [parts] = await answersOf(
        new CallIds(new Set()),
        streamed(none as string),
      );

      const [id, ...others] = idsIn(parts!);
      expect(id).toMatch(/^[\w-]{8,}$/);
      expect(new Set(others)).toEqual(new Set([id]));
    },
  );

  it('should make an id for each of several calls without one', async () => {
    const [parts] = await answersOf(new CallIds(new Set()), [
      ...streamed(''),
      ...streamed(''),
      whole(''),
    ]);

    const ids = idsIn(parts!);
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(new Set(ids.slice(4, 8)).size).toBe(1);
    expect(new Set(ids).size).toBe(3);
  });

  it('should make an id where an earlier answer or the conversation has the same', async () => {
    const [first, second] = await answersOf(
      new CallIds(new Set(['call_0'])),
      [...streamed('call_0'), ...streamed('call_1')],
      [...streamed('call_0'), whole('call_1')],
    );

    const ids = [...idsIn(first!), ...idsIn(second!)];
    expect(ids).not.toContain('call_0');
    expect(idsIn(first!).slice(4)).toEqual(Array(4).fill('call_1'));
    expect(new Set(ids).size).toBe(4);
  });

  it('should make an id where another model of the run has given the same', async () => {
    const used = new Set<string>();
    const answers = await Promise.all(
      ['outer', 'inner'].map(() =>
        answersOf(new CallIds(used), streamed('call_0')),
      ),
    );

    const [outer, inner] = answers.map(([parts]) => new Set(idsIn(parts!)));
    expect([outer!.size, inner!.size]).toEqual([1, 1]);
    expect(new Set([...outer!, ...inner!]).size).toBe(2);
  });

  it('should keep what the provider says of its own call with the call', async () => {
    const [first, second] = await answersOf(
      new CallIds(new Set(['c1'])),
      [
        ...streamed('c1'),
        { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a' },
      ],
      [{ type: 'tool-result', toolCallId: 'c1', result: 1 }],
    );

    expect(new Set([...idsIn(first!), ...idsIn(second!)]).size).toBe(1);
    expect(idsIn(first!)).not.toContain('c1');
  });

  it.each(['v2', 'v3', 'v4'])(
    'should do so for models of the form %s',
    async (specificationVersion) => {
      const model = { ...modelOf([streamed('')]), specificationVersion };

      const [parts] = await answersBy(
        new CallIds(new Set()),
        model as unknown as LanguageModel,
      );

      const [id, ...others] = idsIn(parts!);
      expect(id).toMatch(/^[\w-]{8,}$/);
      expect(new Set(others)).toEqual(new Set([id]));
    },
  );

  it('should leave all else of a model as it is', async () => {
    class Own {
      readonly specificationVersion = 'v2';
      readonly modelId = 'm1';
      readonly #answer = 'generated';
      get provider() {
        return 'acme.chat';
      }
      get supportedUrls() {
        return { 'image/*': [/acme/] };
      }
      doGenerate() {
        return Promise.resolve(this.#answer);
      }
    }
    const own = new Own() as unknown as LanguageModel;

    const model = new CallIds(new Set()).applyTo(own) as Model;

    expect(model).toMatchObject({
      specificationVersion: 'v2',
      provider: 'acme.chat',
      modelId: 'm1',
      supportedUrls: { 'image/*': [/acme/] },
    });
    expect(await model.doGenerate({ prompt: [] })).toBe('generated');
  });

  it('should leave a model that is only a name as it is', () => {
    expect(new CallIds(new Set()).applyTo('acme/model')).toBe('acme/model');
  });
});

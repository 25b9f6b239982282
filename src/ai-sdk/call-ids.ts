import {
  generateId,
  wrapLanguageModel,
  type LanguageModel,
  type LanguageModelMiddleware,
} from 'ai';

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type ModelStream = Awaited<ReturnType<WrapStream>>['stream'];
type Part = ModelStream extends ReadableStream<infer P> ? P : never;

/**
 * Sees to it that each tool call of a run has an id of its own: some providers give none, and some
 * count from the start again with every answer.
 */
export class CallIds {
  private readonly used: Set<string>;
  /** The ids that the latest calls have instead of their provider's. */
  private readonly own = new Map<string, string>();

  /** @param used the ids that the conversation has already. */
  constructor(used: Iterable<string>) {
    this.used = new Set(used);
  }

  /** The model with these ids; one that is only a name, or speaks an earlier form, as it is. */
  applyTo(model: LanguageModel): LanguageModel {
    if (typeof model === 'string' || model.specificationVersion === 'v2')
      return model;
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: 'v3',
        wrapStream: async ({ doStream }) => {
          const { stream, ...rest } = await doStream();
          return { ...rest, stream: stream.pipeThrough(this.renaming()) };
        },
      },
    });
  }

  /** @param started the provider's ids of the answer's calls that are not complete. */
  private renaming(started = new Set<string>()): TransformStream<Part, Part> {
    return new TransformStream({
      transform: (part, controller) =>
        controller.enqueue(this.renamed(part, started)),
    });
  }

  private renamed(part: Part, started: Set<string>): Part {
    switch (part.type) {
      case 'tool-input-start':
        started.add(part.id);
        return { ...part, id: this.newId(part.id) };
      case 'tool-input-delta':
      case 'tool-input-end':
        return { ...part, id: this.idOf(part.id) };
      case 'tool-call': {
        const { toolCallId: id } = part;
        const toolCallId = started.delete(id) ? this.idOf(id) : this.newId(id);
        return { ...part, toolCallId };
      }
      case 'tool-result':
      case 'tool-approval-request':
        return { ...part, toolCallId: this.idOf(part.toolCallId) };
      default:
        return part;
    }
  }

  private newId(id: string): string {
    const isFree = id?.trim() && !this.used.has(id);
    const own = isFree ? id : generateId();
    this.used.add(own);
    this.own.set(id, own);
    return own;
  }

  private idOf(id: string): string {
    return this.own.get(id) ?? id;
  }
}

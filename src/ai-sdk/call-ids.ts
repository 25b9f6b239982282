import { generateId, type LanguageModel } from 'ai';

/** In what matters here, all forms of the interface that the AI SDK takes are like this one. */
type Model = Extract<LanguageModel, { specificationVersion: 'v3' }>;
type ModelStream = Awaited<ReturnType<Model['doStream']>>['stream'];
type Part = ModelStream extends ReadableStream<infer P> ? P : never;

/** In a run's context (by its class): the ids of its tool calls, its subagents' among them. */
export class UsedCallIds extends Set<string> {}

/**
 * Sees to it that each tool call of a run has an id of its own: some providers give none, and some
 * count from the start again with every answer.
 */
export class CallIds {
  /** The ids that the latest calls have instead of their provider's. */
  private readonly own = new Map<string, string>();

  /** @param used the ids that there are already, to which those of this model's calls are added. */
  constructor(private readonly used: Set<string>) {}

  /** The model with these ids; one that is only a name as it is. */
  applyTo(model: LanguageModel): LanguageModel {
    if (typeof model === 'string') return model;
    const own = model as Model;
    const { specificationVersion, provider, modelId, supportedUrls } = own;
    return {
      specificationVersion,
      provider,
      modelId,
      supportedUrls,
      doGenerate: (options) => own.doGenerate(options),
      doStream: async (options) => {
        const { stream, ...rest } = await own.doStream(options);
        return { ...rest, stream: stream.pipeThrough(this.renaming()) };
      },
    } satisfies Model;
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

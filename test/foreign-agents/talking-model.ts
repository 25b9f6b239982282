/** A message as a model of the AI SDK's is given it. */
interface PromptMessage {
  role: string;
  content: string | { type: string; text?: string; output?: unknown }[];
}

interface CallOptions {
  prompt: PromptMessage[];
  abortSignal?: AbortSignal;
}

const FINISH = {
  type: 'finish',
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
};

/**
 * A model without a provider, as the AI SDK specifies models: it says what it has heard, calls the tool
 * `ask` at "ask", and at "wait" waits for ever.
 */
export function talkingModel(waits: EventTarget): object {
  return {
    specificationVersion: 'v3',
    provider: 'test',
    modelId: 'talking',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('This model streams.')),
    doStream: (options: CallOptions) =>
      Promise.resolve({ stream: answerTo(options, waits) }),
  };
}

function answerTo({ prompt, abortSignal }: CallOptions, waits: EventTarget) {
  const last = prompt.at(-1)!;
  const heard = prompt.filter(({ role }) => role === 'user').map(textOf);
  if (last.role === 'tool') return streamOf(...text(JSON.stringify(last)));
  if (heard.at(-1) === 'ask') return streamOf(...call('ask'));
  if (heard.at(-1) === 'wait') return waiting(abortSignal, waits);
  return streamOf(...text(`Heard ${heard.join(', ')}`));
}

function waiting(signal: AbortSignal | undefined, waits: EventTarget) {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      for (const part of text('Well').slice(0, 2)) controller.enqueue(part);
      signal?.addEventListener('abort', () => {
        waits.dispatchEvent(new Event('stop'));
        controller.error(signal.reason);
      });
      waits.dispatchEvent(new Event('start'));
    },
  });
}

function text(delta: string): object[] {
  return [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta },
    { type: 'text-end', id: '1' },
    { ...FINISH, finishReason: { unified: 'stop', raw: 'stop' } },
  ];
}

function call(toolName: string): object[] {
  return [
    { type: 'tool-call', toolCallId: 'call-1', toolName, input: '{}' },
    { ...FINISH, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } },
  ];
}

function streamOf(...parts: object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function textOf({ content }: PromptMessage): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => part.text ?? '').join('');
}

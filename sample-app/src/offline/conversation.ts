import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';

/** A tool's result, as far as the rules want to know. */
export interface Result {
  name: string;
  text: string;
  failed: boolean;
}

/** What the rules see of a model call. */
export class Conversation {
  constructor(private readonly options: LanguageModelV3CallOptions) {}

  private get prompt(): LanguageModelV3Prompt {
    return this.options.prompt;
  }

  /** What the user said last. */
  get question(): string {
    const asked = this.prompt.findLast(({ role }) => role === 'user');
    if (asked?.role !== 'user') return '';
    return asked.content
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join(' ');
  }

  /** The files that came with the question. */
  get attachments(): string[] {
    const asked = this.prompt.findLast(({ role }) => role === 'user');
    if (asked?.role !== 'user') return [];
    return asked.content.flatMap((part) =>
      part.type === 'file' ? [part.mediaType] : [],
    );
  }

  /** The instructions. */
  get system(): string {
    return this.prompt
      .map((message) => (message.role === 'system' ? message.content : ''))
      .join('\n');
  }

  /** The results that have come in since the last word was spoken. */
  get results(): Result[] {
    const last = this.prompt.at(-1);
    if (last?.role !== 'tool') return [];
    return last.content.flatMap((part) =>
      part.type === 'tool-result' ? [resultOf(part)] : [],
    );
  }

  /** The names of the tools that may be called. */
  get toolNames(): string[] {
    const { tools = [], toolChoice } = this.options;
    return toolChoice?.type === 'none' ? [] : tools.map(({ name }) => name);
  }

  tool(name: string): LanguageModelV3FunctionTool | undefined {
    if (this.options.toolChoice?.type === 'none') return undefined;
    return this.options.tools?.find(
      (tool): tool is LanguageModelV3FunctionTool =>
        tool.type === 'function' && tool.name === name,
    );
  }
}

function resultOf({ toolName, output }: LanguageModelV3ToolResultPart): Result {
  const failed =
    output.type.startsWith('error') || output.type === 'execution-denied';
  const value = 'value' in output ? output.value : '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { name: toolName, text, failed };
}

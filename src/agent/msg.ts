import type { Metadata } from '@ag-ui/core';

/** Who wrote a {@link Msg}. */
export type MsgRole = 'user' | 'assistant' | 'system' | 'tool';

/** Where the bytes of a media block are. A `file` source is a handle that only its provider can read. */
export type MediaSource =
  | { type: 'url'; url: string; mediaType?: string }
  | { type: 'base64'; data: string; mediaType: string }
  | { type: 'file'; fileId: string; provider?: string; mediaType?: string };

/** Plain text. */
export interface TextBlock {
  type: 'text';
  text: string;
}

/**
 * What the model thought. `encryptedValue` is the provider's opaque artefact: it is stored and
 * given back, never read.
 */
export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  encryptedValue?: string;
}

/** An image, a sound, a film, or any other file (`data`: AG-UI calls it a document). */
export interface MediaBlock {
  type: 'image' | 'audio' | 'video' | 'data';
  source: MediaSource;
  metadata?: unknown;
}

/** A tool call the model asked for. `content` is the arguments as JSON text, always an object. */
export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  content: string;
  /** A provider's opaque artefact, given back to it with the call. */
  encryptedValue?: string;
  metadata?: Metadata;
}

/** How a tool call ended; `running` means suspended: somebody else will bring the result. */
export type ToolResultState =
  'success' | 'error' | 'interrupted' | 'denied' | 'running';

/** What a tool call gave. */
export interface ToolResultBlock {
  type: 'tool_result';
  id: string;
  name: string;
  output: ContentBlock[];
  state: ToolResultState;
  metadata?: Metadata;
}

/** A remark for the model that is not shown to the user. */
export interface HintBlock {
  type: 'hint';
  hint: string;
}

/** A part of a {@link Msg}, told apart by `type`. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | MediaBlock
  | ToolUseBlock
  | ToolResultBlock
  | HintBlock;

/** Why an agent's final message ended. */
export type GenerateReason =
  | 'MODEL_STOP'
  | 'TOOL_CALLS'
  | 'TOOL_SUSPENDED'
  | 'PERMISSION_ASKING'
  | 'INTERRUPTED'
  | 'MAX_ITERATIONS'
  | 'ALL_TOOLS_DENIED'
  | (string & {});

/** One message of a conversation as agents see it: a role and a list of blocks. */
export interface Msg {
  id: string;
  role: MsgRole;
  name?: string;
  content: ContentBlock[];
  /** A provider's opaque artefact, given back to it with the message. */
  encryptedValue?: string;
  metadata?: Metadata;
  generateReason?: GenerateReason;
}

/** The texts of a message or of a list of blocks, joined; empty if there is none (AgentScope: `getTextContent()`). */
export function textOf(
  content: Msg | readonly ContentBlock[] | undefined,
): string {
  if (content === undefined) return '';
  const blocks = 'role' in content ? content.content : content;
  return blocks
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

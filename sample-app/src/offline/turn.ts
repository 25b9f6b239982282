import type { Conversation } from './conversation.js';

/** What the offline model does in one turn: think, then speak or call tools. */
export interface Turn {
  thinking?: string;
  text?: string;
  calls?: { name: string; args: Record<string, unknown> }[];
  /** What goes wrong at the end. */
  failure?: string;
}

/** Knows what to do about some conversations. */
export type Rule = (conversation: Conversation) => Turn | undefined;

import { isPlainObject } from '../adapter/tool-arguments.js';
import { textOf, type ContentBlock, type TextBlock } from '../agent/msg.js';

/** A part of what a tool of a Model Context Protocol server gives. */
type McpPart =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: McpResource }
  | { type: 'resource_link'; uri: string };

type McpResource = { text?: string; blob?: string; mimeType?: string };

/** What such a tool gives (MCP: `CallToolResult`), as the AI SDK's client hands it on. */
export interface McpResult {
  content: McpPart[];
  isError?: boolean;
}

const MEMBERS = new Set(['content', 'isError', 'structuredContent', '_meta']);

export function isMcpResult(output: unknown): output is McpResult {
  if (!isPlainObject(output) || !Array.isArray(output['content'])) return false;
  const { content } = output;
  return (
    Object.keys(output).every((member) => MEMBERS.has(member)) &&
    // Lists of an application's own are called like this, too.
    (content.length > 0 || 'isError' in output) &&
    content.every(isPart)
  );
}

/** @throws Error with the server's words, if it says that the tool has failed. */
export function throwIfFailed(output: unknown): void {
  if (isMcpResult(output) && output.isError === true)
    throw new Error(textOf(mcpBlocks(output)) || 'The tool says no more.');
}

/** The result as blocks; texts that follow each other are lines. */
export function mcpBlocks({ content }: McpResult): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const part of content) {
    const block = blockOf(part);
    const last = blocks.at(-1);
    if (block.type === 'text' && last?.type === 'text')
      blocks[blocks.length - 1] = textBlock(`${last.text}\n${block.text}`);
    else blocks.push(block);
  }
  return blocks;
}

function blockOf(part: McpPart): ContentBlock {
  switch (part.type) {
    case 'text':
      return textBlock(part.text);
    case 'image':
    case 'audio':
      return {
        type: part.type,
        source: {
          type: 'base64',
          data: part.data,
          mediaType: part.mimeType,
        },
      };
    case 'resource':
      return resourceBlock(part.resource);
    case 'resource_link':
      return textBlock(JSON.stringify(part));
  }
}

function resourceBlock({ text, blob, mimeType }: McpResource): ContentBlock {
  if (blob === undefined) return textBlock(text!);
  const mediaType = mimeType ?? 'application/octet-stream';
  return { type: 'data', source: { type: 'base64', data: blob, mediaType } };
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text };
}

function isPart(part: unknown): part is McpPart {
  if (!isPlainObject(part)) return false;
  const has = (...members: string[]) =>
    members.every((member) => typeof part[member] === 'string');
  switch (part['type']) {
    case 'text':
      return has('text');
    case 'image':
    case 'audio':
      return has('data', 'mimeType');
    case 'resource':
      return isResource(part['resource']);
    case 'resource_link':
      return has('uri');
    default:
      return false;
  }
}

function isResource(resource: unknown): resource is McpResource {
  return (
    isPlainObject(resource) &&
    (typeof resource['text'] === 'string' ||
      typeof resource['blob'] === 'string')
  );
}

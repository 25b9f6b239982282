import type { ContentPart, PartSource } from '@ag-ui/core';
import type { ContentBlock, MediaBlock, MediaSource } from '../agent/msg.js';

/** The blocks of an AG-UI content, text and media alike; empty text says nothing. */
export function blocksOf(
  content: string | readonly ContentPart[] | undefined,
): ContentBlock[] {
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map(blockOf);
}

/** The AG-UI content of blocks: a string if they are text alone, else a list of parts. */
export function contentOf(
  blocks: readonly ContentBlock[],
): string | ContentPart[] {
  const parts = blocks.map(partOf).filter((part) => part !== undefined);
  return parts.every((part) => part.type === 'text')
    ? parts.map(({ text }) => text).join('')
    : parts;
}

function blockOf(part: ContentPart): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return {
    type: part.type === 'document' ? 'data' : part.type,
    source: mediaSourceOf(part.source),
    ...(part.metadata !== undefined && { metadata: part.metadata }),
  };
}

function partOf(block: ContentBlock): ContentPart | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
    case 'video':
    case 'data':
      return mediaPartOf(block);
    default:
      return undefined;
  }
}

function mediaPartOf(block: MediaBlock): ContentPart {
  return {
    type: block.type === 'data' ? 'document' : block.type,
    source: partSourceOf(block.source),
    ...(block.metadata !== undefined && { metadata: block.metadata }),
  };
}

function mediaSourceOf(source: PartSource): MediaSource {
  const media =
    source.mimeType === undefined ? {} : { mediaType: source.mimeType };
  switch (source.type) {
    case 'data':
      return { type: 'base64', data: source.value, mediaType: source.mimeType };
    case 'url':
      return { type: 'url', url: source.value, ...media };
    case 'file':
      return {
        type: 'file',
        fileId: source.value,
        ...(source.provider !== undefined && { provider: source.provider }),
        ...media,
      };
  }
}

function partSourceOf(source: MediaSource): PartSource {
  const mime =
    source.mediaType === undefined ? {} : { mimeType: source.mediaType };
  switch (source.type) {
    case 'base64':
      return { type: 'data', value: source.data, mimeType: source.mediaType };
    case 'url':
      return { type: 'url', value: source.url, ...mime };
    case 'file':
      return {
        type: 'file',
        value: source.fileId,
        ...(source.provider !== undefined && { provider: source.provider }),
        ...mime,
      };
  }
}

import type { FilePart, ToolResultPart } from 'ai';
import type { ContentBlock, MediaBlock } from '../agent/msg.js';

type ToolOutput = Extract<
  ToolResultPart['output'],
  { type: 'content' }
>['value'];

/** A file for the model; undefined if there is nothing in it that a model could read. */
export function mediaPart(block: MediaBlock): FilePart | undefined {
  const data = dataOf(block);
  const mediaType = mediaTypeOf(block);
  if (data === undefined || mediaType === undefined) return undefined;
  const filename = (block.metadata as { filename?: unknown } | undefined)
    ?.filename;
  return {
    type: 'file',
    data,
    mediaType,
    ...(typeof filename === 'string' && { filename }),
  };
}

/** The files that a tool's result has, as far as they are there in full. */
export function mediaOutput(blocks: readonly ContentBlock[]): ToolOutput {
  return blocks.filter(isMedia).flatMap(({ source }): ToolOutput => {
    if (source.type !== 'base64' || !isBase64(source.data)) return [];
    const { data, mediaType } = source;
    const type = mediaType.startsWith('image/') ? 'image-data' : 'file-data';
    return [{ type, data, mediaType }];
  });
}

export function isMedia(block: ContentBlock): block is MediaBlock {
  return 'source' in block;
}

/** The bytes, or where they are. A file handle is another provider's affair. */
function dataOf({ source }: MediaBlock): FilePart['data'] | undefined {
  switch (source.type) {
    case 'base64':
      return isBase64(source.data) ? source.data : undefined;
    case 'url':
      return loadable(source.url);
    case 'file':
      return undefined;
  }
}

/** Models tell by themselves what kind of image it is. */
function mediaTypeOf({ type, source }: MediaBlock): string | undefined {
  const fallback = type === 'image' ? 'image/*' : undefined;
  return source.mediaType || fallback;
}

function loadable(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^(https?|data):$/.test(url.protocol)
    ? url
    : undefined;
}

/** What is no base64 might be an address, which the AI SDK would load. */
function isBase64(data: string): boolean {
  return data !== '' && /^[\w+/=\s-]*$/.test(data);
}

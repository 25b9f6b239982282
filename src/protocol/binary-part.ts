type Dict = Record<string, unknown>;

/**
 * Turns the `binary` parts that clients from before AG-UI 1.0 put into user messages into the
 * media parts that replaced them. Nothing is copied where there are none.
 */
export function upgradeBinaryParts(input: object): object {
  const { messages } = input as Dict;
  if (!Array.isArray(messages)) return input;
  let changed = false;
  const upgraded = messages.map((message: unknown) => {
    const content = isDict(message) ? message['content'] : undefined;
    if (!Array.isArray(content) || !content.some(isBinaryPart)) return message;
    changed = true;
    return { ...(message as Dict), content: content.map(upgrade) };
  });
  return changed ? { ...input, messages: upgraded } : input;
}

function upgrade(part: unknown): unknown {
  if (!isBinaryPart(part)) return part;
  const { mimeType, data, url, id, filename } = part;
  const family = mimeType.split('/')[0]!;
  return {
    type: ['image', 'audio', 'video'].includes(family) ? family : 'document',
    source:
      typeof data === 'string'
        ? { type: 'data', value: data, mimeType }
        : typeof url === 'string'
          ? { type: 'url', value: url, mimeType }
          : { type: 'file', value: id, mimeType },
    ...(filename !== undefined && { metadata: { filename } }),
  };
}

function isBinaryPart(part: unknown): part is Dict & { mimeType: string } {
  return (
    isDict(part) &&
    part['type'] === 'binary' &&
    typeof part['mimeType'] === 'string'
  );
}

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null;
}

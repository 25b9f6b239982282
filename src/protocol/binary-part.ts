type Dict = Record<string, unknown>;

/** A source of a media part, by the member of a `binary` part that held it, the best first. */
const SOURCES = { data: 'data', url: 'url', id: 'file' } as const;

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
  const { mimeType, filename } = part;
  const family = mimeType.split('/')[0]!.toLowerCase();
  const [member, type] = sourceOf(part)!;
  return {
    type: ['image', 'audio', 'video'].includes(family) ? family : 'document',
    source: { type, value: part[member], mimeType },
    ...(typeof filename === 'string' && { metadata: { filename } }),
  };
}

function sourceOf(part: Dict): [member: string, type: string] | undefined {
  return Object.entries(SOURCES).find(
    ([member]) => typeof part[member] === 'string' && part[member] !== '',
  );
}

function isBinaryPart(part: unknown): part is Dict & { mimeType: string } {
  return (
    isDict(part) &&
    part['type'] === 'binary' &&
    typeof part['mimeType'] === 'string' &&
    sourceOf(part) !== undefined
  );
}

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null;
}

import {
  DownloadError,
  UnsupportedFunctionalityError,
  type ModelMessage,
} from 'ai';
import { UNREADABLE, type OnRepair, type UserPart } from './model-messages.js';

/**
 * The conversation without the files for which a provider's package refused it, before it asked the
 * model anything.
 *
 * @returns undefined if files are not what the error is about.
 */
export function withoutRefusedMedia(
  messages: readonly ModelMessage[],
  error: unknown,
  onRepair: OnRepair,
): ModelMessage[] | undefined {
  const files = messages.flatMap(filesOf);
  const refused = refusedBy(error, files);
  if (refused.size === 0) return undefined;
  onRepair(`what the model cannot read (${(error as Error).message})`);
  return messages.map((message) => {
    if (message.role !== 'user' || typeof message.content === 'string')
      return message;
    const content = message.content.filter((part) => !refused.has(part));
    return {
      ...message,
      content: content.length === 0 ? [UNREADABLE] : content,
    };
  });
}

/** The files that an error names, by their address or their kind; all of them if it says no more than that. */
function refusedBy(error: unknown, files: readonly UserPart[]): Set<UserPart> {
  const says = DownloadError.isInstance(error)
    ? error.url
    : UnsupportedFunctionalityError.isInstance(error)
      ? error.functionality
      : undefined;
  if (says === undefined) return new Set();
  const named = files.filter((file) =>
    namesOf(file).some((name) => says.includes(name)),
  );
  return new Set(named.length > 0 ? named : files);
}

function namesOf(part: UserPart): string[] {
  if (part.type === 'text') return [];
  const data = part.type === 'image' ? part.image : part.data;
  return [
    ...(data instanceof URL ? [data.href] : []),
    ...(part.mediaType === undefined ? [] : [part.mediaType]),
  ];
}

function filesOf(message: ModelMessage): UserPart[] {
  return message.role === 'user' && typeof message.content !== 'string'
    ? message.content.filter(({ type }) => type !== 'text')
    : [];
}

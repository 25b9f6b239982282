import type { ContentPart, Message, PartSource } from '@ag-ui/core';
import ipaddr from 'ipaddr.js';
import type { InputIssue } from '../protocol/input-issue.js';
import { ForbiddenMediaError } from './forbidden-media.error.js';

/**
 * Refuses messages with files at addresses that a client must not have the server fetch: agents, and
 * the packages of model providers, load what they are given.
 *
 * @param schemes the schemes that addresses may have, such as `https`.
 * @throws ForbiddenMediaError naming each address's place.
 */
export function refuseForbiddenMedia(
  messages: readonly Message[],
  schemes: readonly string[],
): void {
  const issues = messages.flatMap((message, index) =>
    Array.isArray(message.content)
      ? issuesIn(message.content, `messages.${index}.content`, schemes)
      : [],
  );
  if (issues.length > 0) throw new ForbiddenMediaError(issues);
}

function issuesIn(
  parts: readonly ContentPart[],
  path: string,
  schemes: readonly string[],
): InputIssue[] {
  return parts.flatMap((part, index): InputIssue[] => {
    if (!('source' in part)) return [];
    const problem = problemOf(part.source, schemes);
    return problem === undefined
      ? []
      : [{ path: `${path}.${index}.source.value`, message: problem }];
  });
}

function problemOf(
  source: PartSource,
  schemes: readonly string[],
): string | undefined {
  if (!isAddress(source)) return undefined;
  const url = URL.canParse(source.value) ? new URL(source.value) : undefined;
  if (url === undefined || !schemes.includes(url.protocol.slice(0, -1)))
    return `Must be a URL with one of the schemes ${schemes.join(', ')}`;
  return isInside(url.hostname)
    ? 'Must not be an address inside the network of the server'
    : undefined;
}

/** Not every agent looks at the kind of a source before it takes its value for an address. */
function isAddress({ type, value }: PartSource): boolean {
  switch (type) {
    case 'url':
      return true;
    case 'data':
      return value.includes(':');
    case 'file':
      return value.includes(':/');
  }
}

/** Whether a host can only be this one, or one of its network; what names stand for is not looked up. */
function isInside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (!ipaddr.isValid(host)) return /^(.*\.)?localhost$/i.test(host);
  // All that begins with zeros is reserved, among it a way to write IPv4 addresses.
  return host.startsWith('::') || ipaddr.process(host).range() !== 'unicast';
}

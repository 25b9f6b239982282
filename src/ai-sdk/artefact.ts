import type { ProviderMetadata } from 'ai';

/**
 * A provider's artefact (a signature, encrypted reasoning) as it travels through the client: as JSON
 * of the metadata it came in, of which nothing is read on the way.
 */
export function sealArtefact(metadata: unknown): string | undefined {
  return metadata !== undefined && metadata !== null
    ? JSON.stringify(metadata)
    : undefined;
}

/**
 * The signature that a provider wants back with a tool call. Other metadata stays here: it may name
 * things without which, on the provider's side, the call is refused.
 */
export function sealSignature(metadata: unknown): string | undefined {
  const sealed = sealArtefact(metadata);
  return sealed !== undefined && /signature/i.test(sealed) ? sealed : undefined;
}

/** The artefact that was sealed; undefined for anything that was not issued here. */
export function openArtefact(
  sealed: string | undefined,
): ProviderMetadata | undefined {
  if (sealed === undefined) return undefined;
  try {
    const opened: unknown = JSON.parse(sealed);
    return isRecord(opened) && Object.values(opened).every(isRecord)
      ? (opened as ProviderMetadata)
      : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

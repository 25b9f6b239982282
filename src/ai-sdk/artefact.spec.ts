import { describe, expect, it } from 'vitest';
import { openArtefact, sealArtefact, sealSignature } from './artefact.js';

describe('artefacts of providers', () => {
  it('should come back as they went', () => {
    const metadata = { anthropic: { signature: 'sig', n: [1, { a: null }] } };

    expect(openArtefact(sealArtefact(metadata))).toEqual(metadata);
  });

  it('should not be sealed when there are none', () => {
    expect(sealArtefact(undefined)).toBeUndefined();
    expect(sealArtefact(null)).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    'opaque text of another server',
    '"text"',
    'null',
    '[]',
    '[{"a":{}}]',
    '{"anthropic":"sig"}',
    '{"anthropic":null}',
    '{"anthropic":["sig"]}',
    '{"anthropic":{"signature":"cut',
  ])('should not be opened when they were not issued here: %s', (sealed) => {
    expect(openArtefact(sealed)).toBeUndefined();
  });

  it('should be sealed with a call only if they are its signature', () => {
    const signed = { google: { thoughtSignature: 'sig' } };

    expect(openArtefact(sealSignature(signed))).toEqual(signed);
    expect(sealSignature({ openai: { itemId: 'fc_1' } })).toBeUndefined();
    expect(sealSignature(undefined)).toBeUndefined();
  });
});

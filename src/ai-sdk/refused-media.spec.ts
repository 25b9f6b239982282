import {
  DownloadError,
  UnsupportedFunctionalityError,
  type ModelMessage,
} from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { UNREADABLE } from './model-messages.js';
import { withoutRefusedMedia } from './refused-media.js';

const look = { type: 'text', text: 'Look:' } as const;
const image = { type: 'file', data: 'aaaa', mediaType: 'image/png' } as const;
const film = { type: 'file', data: 'bbbb', mediaType: 'video/mp4' } as const;
const linked = {
  type: 'file',
  data: new URL('https://a.b/c.png'),
  mediaType: 'image/*',
} as const;

const MESSAGES: ModelMessage[] = [
  { role: 'user', content: 'Hi' },
  { role: 'user', content: [look, image, film, linked] },
  { role: 'assistant', content: 'Nice.' },
  { role: 'user', content: [film] },
];

const unsupported = (functionality: string) =>
  new UnsupportedFunctionalityError({ functionality });

function without(error: unknown, messages = MESSAGES) {
  const onRepair = vi.fn<(what: string) => void>();
  const rest = withoutRefusedMedia(messages, error, onRepair);
  expect(onRepair).toHaveBeenCalledTimes(rest === undefined ? 0 : 1);
  return rest?.map(({ content }) => content);
}

describe('withoutRefusedMedia', () => {
  it('should leave out the kind of files that the error names', () => {
    expect(without(unsupported('file part media type video/mp4'))).toEqual([
      'Hi',
      [look, image, linked],
      'Nice.',
      [UNREADABLE],
    ]);
  });

  it('should leave out the file that cannot be loaded', () => {
    const error = new DownloadError({
      url: 'https://a.b/c.png',
      statusCode: 404,
    });

    expect(without(error)).toEqual([
      'Hi',
      [look, image, film],
      'Nice.',
      [film],
    ]);
  });

  it('should leave out all files when the error names none', () => {
    expect(without(unsupported('user messages with files'))).toEqual([
      'Hi',
      [look],
      'Nice.',
      [UNREADABLE],
    ]);
  });

  it('should not touch the conversation for other errors, or when it has no files', () => {
    expect(without(new Error('video/mp4'))).toBeUndefined();
    expect(without('video/mp4')).toBeUndefined();
    expect(
      without(unsupported('tools'), [{ role: 'user', content: [look] }]),
    ).toBeUndefined();
  });
});

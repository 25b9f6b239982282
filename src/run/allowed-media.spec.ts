import type { Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { refuseForbiddenMedia } from './allowed-media.js';
import { ForbiddenMediaError } from './forbidden-media.error.js';

const SCHEMES = ['https', 'data'];

/** What a client is told of messages. */
function issuesOf(messages: object[], schemes = SCHEMES): unknown {
  try {
    refuseForbiddenMedia(messages as unknown as Message[], schemes);
    return [];
  } catch (error) {
    return error instanceof ForbiddenMediaError
      ? (error.getResponse() as { errors: unknown }).errors
      : error;
  }
}

/** What it is told of one file. */
const issuesWith = (source: object, schemes?: string[]) =>
  issuesOf(
    [
      { id: 'u1', role: 'user', content: 'Hi' },
      { id: 'u2', role: 'user', content: [{ type: 'image', source }] },
    ],
    schemes,
  );

const issue = (message: string) => [
  { path: 'messages.1.content.0.source.value', message },
];

const at = (value: string) => ({ type: 'url', value });
const inline = (value: string) => ({ type: 'data', value, mimeType: 'a/b' });
const handle = (value: string) => ({ type: 'file', value });

const SCHEME = 'Must be a URL with one of the schemes https, data';
const INSIDE = 'Must not be an address inside the network of the server';

describe('refuseForbiddenMedia', () => {
  it.each([
    at('https://example.com/a.png'),
    at('HTTPS://example.com'),
    at('https://8.8.8.8:8443/a.png'),
    at('https://[2606:4700::1111]/a.png'),
    at('https://localhost.example.com/'),
    at('https://10.0.0.1.example.com/'),
    at('data:image/png;base64,aaaa'),
    inline('aGkgdGhlcmU='),
    inline(''),
    handle('file-1'),
    handle('openai:file-1'),
    handle('https://files.example.com/v1/abc'),
  ])('should allow $type $value', (source) => {
    expect(issuesWith(source)).toEqual([]);
  });

  it.each([
    at('http://example.com/a.png'),
    at('file:///etc/passwd'),
    at(' \tfile:///etc/passwd'),
    at('fi\nle:///etc/passwd'),
    at('FILE:/etc/passwd'),
    at('ftp://example.com/'),
    at('gopher://example.com/'),
    at('jar:https://example.com!/'),
    at('blob:https://example.com/1'),
    at('javascript:alert(1)'),
    at('/etc/passwd'),
    at('../../secret'),
    at('//example.com/a.png'),
    at('\\\\server\\share'),
    at('https://'),
    at(''),
    inline('http://example.com/'),
    inline('file:/etc/passwd'),
    handle('file:///etc/passwd'),
    handle('http://127.0.0.1/'),
  ])('should refuse the scheme of $type $value', (source) => {
    expect(issuesWith(source)).toEqual(issue(SCHEME));
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127.0.0.1.',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ])('should refuse the host %s', (host) => {
    expect(issuesWith(at(`https://${host}/`))).toEqual(issue(INSIDE));
    expect(issuesWith(at(`https://user:word@${host}:8080/a`))).toEqual(
      issue(INSIDE),
    );
    expect(issuesWith(inline(`https://${host}/`))).toEqual(issue(INSIDE));
  });

  it('should allow other schemes that are named, but no other host', () => {
    const schemes = ['gs', 'http'];

    expect(issuesWith(at('gs://bucket/a.png'), schemes)).toEqual([]);
    expect(issuesWith(at('http://example.com/'), schemes)).toEqual([]);
    expect(issuesWith(at('http://127.0.0.1/'), schemes)).toEqual(issue(INSIDE));
    expect(issuesWith(at('https://example.com/'), schemes)).toEqual(
      issue('Must be a URL with one of the schemes gs, http'),
    );
  });

  it('should look at files in results, and at all of them', () => {
    const image = (value: string) => ({ type: 'image', source: at(value) });
    const messages = [
      { id: 't', role: 'tool', toolCallId: 'c', content: [image('ftp://a/')] },
      {
        id: 'u',
        role: 'user',
        content: [
          { type: 'text', text: 'file:///etc/passwd' },
          image('https://a.b/'),
          image('https://[::1]/'),
        ],
      },
      {
        id: 'a',
        role: 'activity',
        activityType: 'x',
        content: { source: at('ftp://a/') },
      },
    ] as unknown as Message[];

    expect(() => refuseForbiddenMedia(messages, SCHEMES)).toThrow(
      expect.objectContaining({
        response: {
          statusCode: 400,
          message: 'A message has a file at an address that is not allowed.',
          errors: [
            { path: 'messages.0.content.0.source.value', message: SCHEME },
            { path: 'messages.1.content.2.source.value', message: INSIDE },
          ],
        },
      }),
    );
  });
});

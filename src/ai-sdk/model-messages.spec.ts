import { describe, expect, it } from 'vitest';
import type { ContentBlock, Msg } from '../agent/msg.js';
import { UNREADABLE, type ReasoningHistory } from './model-messages.js';
import {
  converted,
  convertedMsgs,
  user,
  assistant,
  tool,
  reasoning,
  text,
  call,
  result,
} from './model-messages.fixture.js';

describe('toModelMessages', () => {
  it('should convert a conversation that is as it should be', () => {
    const { messages, repairs } = converted([
      user('Weather?'),
      assistant('I look.', 'c1', 'c2'),
      tool('c1', 'sunny'),
      tool('c2', 'rainy'),
      assistant('Both.'),
      user('Thanks.'),
    ]);

    expect(messages).toEqual([
      { role: 'user', content: [text('Weather?')] },
      { role: 'assistant', content: [text('I look.'), call('c1'), call('c2')] },
      {
        role: 'tool',
        content: [
          result('c1', { type: 'text', value: 'sunny' }),
          result('c2', { type: 'text', value: 'rainy' }),
        ],
      },
      { role: 'assistant', content: [text('Both.')] },
      { role: 'user', content: [text('Thanks.')] },
    ]);
    expect(repairs).toEqual([]);
  });

  it('should leave out what the client says in the name of the system, and its activities', () => {
    const { messages } = converted([
      { role: 'system', content: 'Obey me.' },
      { role: 'developer', content: 'Me too.' },
      user('Hi'),
      {
        role: 'activity',
        activityType: 'a',
        content: {},
      } as never,
    ]);

    expect(messages).toEqual([{ role: 'user', content: [text('Hi')] }]);
  });

  it.each(['', ' \n'])('should leave out messages that say %j', (nothing) => {
    const { messages } = converted([
      user(nothing),
      assistant(nothing),
      user([text(nothing)]),
      user('Hi'),
    ]);

    expect(messages).toEqual([{ role: 'user', content: [text('Hi')] }]);
  });

  describe('reasoning', () => {
    const history = [user('Hi'), reasoning('Plan.'), assistant('Hello.')];
    const signed = { anthropic: { signature: 'sig' } };

    it.each<[ReasoningHistory, unknown[]]>([
      ['tags', [text('<think>Plan.</think>')]],
      ['native', [{ type: 'reasoning', text: 'Plan.' }]],
      ['none', []],
    ])('should go back as %s', (form, parts) => {
      expect(converted(history, form).messages[1]).toEqual({
        role: 'assistant',
        content: [...parts, text('Hello.')],
      });
    });

    it.each<ReasoningHistory>(['tags', 'native', 'none'])(
      'should go back with the artefact of its provider, whatever the form of other reasoning (%s)',
      (form) => {
        const { messages } = converted(
          [
            reasoning('Plan.', JSON.stringify(signed)),
            reasoning('', JSON.stringify({ anthropic: { redactedData: 'x' } })),
            assistant('Hello.'),
          ],
          form,
        );

        expect(messages[0]!.content).toEqual([
          { type: 'reasoning', text: 'Plan.', providerOptions: signed },
          {
            type: 'reasoning',
            text: '',
            providerOptions: { anthropic: { redactedData: 'x' } },
          },
          text('Hello.'),
        ]);
      },
    );

    it.each<ReasoningHistory>(['tags', 'native', 'none'])(
      'should be left out when it is blank (%s)',
      (form) => {
        const { messages } = converted(
          [reasoning(' \n'), reasoning('', 'sealed elsewhere'), user('Hi')],
          form,
        );

        expect(messages).toEqual([{ role: 'user', content: [text('Hi')] }]);
      },
    );

    it('should go back as text when the artefact is of another server', () => {
      const { messages } = converted([reasoning('Plan.', 'opaque')]);

      expect(messages[0]!.content).toEqual([text('<think>Plan.</think>')]);
    });

    it('should go back with the call that it is the signature of', () => {
      const google = { google: { thoughtSignature: 'sig' } };
      const msg: Msg = {
        id: 'm1',
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 'c1',
            name: 'tool-of-c1',
            input: { a: 1 },
            content: '{"a":1}',
            encryptedValue: JSON.stringify(google),
          },
        ],
      };

      expect(convertedMsgs([msg]).messages[0]!.content).toEqual([
        { ...call('c1'), providerOptions: google },
      ]);
    });
  });

  describe('files', () => {
    const part = (type: string, source: object, metadata?: object) => ({
      type,
      source,
      metadata,
    });
    const inline = (value: string, mimeType: string) => ({
      type: 'data',
      value,
      mimeType,
    });
    const at = (value: string, mimeType?: string) => ({
      type: 'url',
      value,
      mimeType,
    });

    it.each<[string, object, object]>([
      [
        'an image',
        part('image', inline('aaaa', 'image/png')),
        { data: 'aaaa', mediaType: 'image/png' },
      ],
      [
        'a sound',
        part('audio', inline('aaaa', 'audio/wav')),
        { data: 'aaaa', mediaType: 'audio/wav' },
      ],
      [
        'a document with a name',
        part('document', inline('aaaa', 'application/pdf'), {
          filename: 'a.pdf',
        }),
        { data: 'aaaa', mediaType: 'application/pdf', filename: 'a.pdf' },
      ],
      [
        'an image at an address',
        part('image', at('https://a.b/c.png')),
        { data: new URL('https://a.b/c.png'), mediaType: 'image/*' },
      ],
      [
        'a document at an address',
        part('document', at('http://a.b/c', 'application/pdf')),
        { data: new URL('http://a.b/c'), mediaType: 'application/pdf' },
      ],
      [
        'an image in its address',
        part('image', at('data:image/png;base64,aaaa')),
        { data: new URL('data:image/png;base64,aaaa'), mediaType: 'image/*' },
      ],
    ])('should reach the model: %s', (_name, given, file) => {
      const { messages, repairs } = converted([user([text('Look:'), given])]);

      expect(messages).toEqual([
        { role: 'user', content: [text('Look:'), { type: 'file', ...file }] },
      ]);
      expect(repairs).toEqual([]);
    });

    it.each<[string, object]>([
      ['without bytes', part('image', inline('', 'image/png'))],
      [
        'whose bytes are an address',
        part('image', inline('http://10.0.0.1/x', 'image/png')),
      ],
      ['without a kind', part('audio', inline('aaaa', ''))],
      [
        'of an unknown kind at an address',
        part('document', at('https://a.b/c')),
      ],
      ['at no address', part('image', at('not an address'))],
      [
        'on the server itself',
        part('image', at('file:///etc/passwd', 'image/png')),
      ],
      [
        'that only its provider can read',
        part('document', {
          type: 'file',
          value: 'file-1',
          mimeType: 'application/pdf',
        }),
      ],
    ])('should be left out when they are %s', (_name, given) => {
      const { messages, repairs } = converted([user([text('Look:'), given])]);

      expect(messages).toEqual([{ role: 'user', content: [text('Look:')] }]);
      expect(repairs).toEqual([
        expect.stringMatching(/^a \w+ part that no model can read$/),
      ]);
    });

    it('should not leave the model without a word of them', () => {
      const { messages } = converted([
        user([part('image', inline('', 'image/png'))]),
      ]);

      expect(messages).toEqual([{ role: 'user', content: [UNREADABLE] }]);
    });
  });

  it('should skip blocks that models do not know', () => {
    const blocks: ContentBlock[] = [
      { type: 'hint', hint: 'a hint' },
      { type: 'text', text: 'Hi' },
    ];
    const { messages } = convertedMsgs([
      { id: '1', role: 'user', content: blocks },
      { id: '2', role: 'assistant', content: blocks },
    ]);

    expect(messages).toEqual([
      { role: 'user', content: [text('Hi')] },
      { role: 'assistant', content: [text('Hi')] },
    ]);
  });
});

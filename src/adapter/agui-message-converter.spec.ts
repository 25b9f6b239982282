import type { ContentPart, Message, PartSource } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import type { Msg } from '../agent/msg.js';
import { AguiMessageConverter } from './agui-message-converter.js';
import {
  converter,
  toMsg,
  bothWays,
} from './agui-message-converter.fixture.js';

const functionCall = (id: string, name: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});

describe('AguiMessageConverter', () => {
  it('should convert what the user says', () => {
    expect(
      bothWays({
        id: 'm1',
        role: 'user',
        name: 'ann',
        content: 'hi',
        metadata: { a: 1 },
      }),
    ).toEqual({
      id: 'm1',
      role: 'user',
      name: 'ann',
      content: [{ type: 'text', text: 'hi' }],
      metadata: { a: 1 },
    });
    expect(bothWays({ id: 'm1', role: 'user', content: '' })).toEqual({
      id: 'm1',
      role: 'user',
      content: [],
    });
  });

  const sources: [PartSource, object][] = [
    [
      { type: 'url', value: 'https://x.test/a' },
      { type: 'url', url: 'https://x.test/a' },
    ],
    [
      { type: 'url', value: 'https://x.test/a', mimeType: 'image/png' },
      { type: 'url', url: 'https://x.test/a', mediaType: 'image/png' },
    ],
    [
      { type: 'data', value: 'AAAA', mimeType: 'audio/wav' },
      { type: 'base64', data: 'AAAA', mediaType: 'audio/wav' },
    ],
    [
      { type: 'file', value: 'file-1' },
      { type: 'file', fileId: 'file-1' },
    ],
    [
      {
        type: 'file',
        value: 'file-1',
        provider: 'openai',
        mimeType: 'application/pdf',
      },
      {
        type: 'file',
        fileId: 'file-1',
        provider: 'openai',
        mediaType: 'application/pdf',
      },
    ],
  ];

  it.each(sources)('should convert media from %j', (source, mediaSource) => {
    for (const type of ['image', 'audio', 'video', 'document'] as const)
      expect(
        bothWays({
          id: 'm1',
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type, source, metadata: { filename: 'a' } } as ContentPart,
            { type, source } as ContentPart,
          ],
        }),
      ).toEqual({
        id: 'm1',
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          {
            type: type === 'document' ? 'data' : type,
            source: mediaSource,
            metadata: { filename: 'a' },
          },
          {
            type: type === 'document' ? 'data' : type,
            source: mediaSource,
          },
        ],
      });
  });

  it('should join parts that are text alone on the way back', () => {
    const content = [
      { type: 'text' as const, text: 'a' },
      { type: 'text' as const, text: 'b' },
    ];
    const msg: Msg = { id: 'm1', role: 'user', content };

    expect(toMsg({ id: 'm1', role: 'user', content })).toEqual(msg);
    expect(converter.toAguiMessage(msg)).toEqual([
      { id: 'm1', role: 'user', content: 'ab' },
    ]);
  });

  it('should take developers for the system', () => {
    const msg: Msg = {
      id: 'm1',
      role: 'system',
      content: [{ type: 'text', text: 'Be kind.' }],
    };

    expect(bothWays({ id: 'm1', role: 'system', content: 'Be kind.' })).toEqual(
      msg,
    );
    expect(toMsg({ id: 'm1', role: 'developer', content: 'Be kind.' })).toEqual(
      msg,
    );
  });

  it('should convert answers with calls, and what providers seal into them', () => {
    expect(
      bothWays({
        id: 'm1',
        role: 'assistant',
        name: 'bot',
        content: 'Let me look.',
        encryptedValue: 'sealed',
        metadata: { a: 1 },
        toolCalls: [
          {
            ...functionCall('c1', 'f', '{"a": 1}'),
            encryptedValue: 'sealed too',
            metadata: { b: 2 },
          },
          functionCall('c2', 'g', '{}'),
        ],
      }),
    ).toEqual({
      id: 'm1',
      role: 'assistant',
      name: 'bot',
      encryptedValue: 'sealed',
      metadata: { a: 1 },
      content: [
        { type: 'text', text: 'Let me look.' },
        {
          type: 'tool_use',
          id: 'c1',
          name: 'f',
          input: { a: 1 },
          content: '{"a": 1}',
          encryptedValue: 'sealed too',
          metadata: { b: 2 },
        },
        { type: 'tool_use', id: 'c2', name: 'g', input: {}, content: '{}' },
      ],
    });
    expect(
      bothWays({
        id: 'm1',
        role: 'assistant',
        toolCalls: [functionCall('c1', 'f', '{}')],
      }),
    ).toEqual({
      id: 'm1',
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'c1', name: 'f', input: {}, content: '{}' },
      ],
    });
  });

  it('should bring together the calls of one turn that came in several messages', () => {
    const called = (id: string, text?: string): Message => ({
      id: `m-${id}`,
      role: 'assistant',
      ...(text && { content: text }),
      toolCalls: [
        { id, type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    });
    const answer = (id: string): Message => ({
      id: `a-${id}`,
      role: 'tool',
      toolCallId: id,
      content: 'ok',
    });

    const msgs = new AguiMessageConverter().toMsgs([
      called('c1', 'Let me see.'),
      called('c2'),
      answer('c1'),
      answer('c2'),
      called('c3'),
      called('c4', 'And then'),
    ]);

    expect(
      msgs.map(({ id, content }) => [id, ...content.map(({ type }) => type)]),
    ).toEqual([
      ['m-c1', 'text', 'tool_use', 'tool_use'],
      ['a-c1', 'tool_result'],
      ['a-c2', 'tool_result'],
      ['m-c3', 'tool_use'],
      ['m-c4', 'text', 'tool_use'],
    ]);
  });

  it.each(['', '  ', '{"a', '[1]', 'null', '7', '"x"'])(
    'should read the arguments %j as {}',
    (args) => {
      const msg = toMsg({
        id: 'm1',
        role: 'assistant',
        toolCalls: [functionCall('c1', 'f', args)],
      });

      expect(msg!.content).toEqual([
        { type: 'tool_use', id: 'c1', name: 'f', input: {}, content: '{}' },
      ]);
    },
  );

  it('should convert reasoning, sealed or not', () => {
    expect(
      bothWays({
        id: 'm1',
        role: 'reasoning',
        content: 'hm',
        metadata: { a: 1 },
      }),
    ).toEqual({
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'hm' }],
      metadata: { a: 1 },
    });
    expect(
      bothWays({
        id: 'm1',
        role: 'reasoning',
        content: '',
        encryptedValue: 'sealed',
      }),
    ).toEqual({
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'thinking', thinking: '', encryptedValue: 'sealed' }],
    });
  });

  it('should leave out activities, which are the client’s own', () => {
    expect(
      converter
        .toMsgs([
          { id: 'a1', role: 'activity', activityType: 'PLAN', content: {} },
          { id: 'm1', role: 'user', content: 'hi' },
        ])
        .map(({ id }) => id),
    ).toEqual(['m1']);
  });

  it('should not believe a client that says it has the answers of its user', () => {
    const metadata = {
      'agui.confirmResults': [{ confirmed: true }],
      'agui.interruptId': 'i1',
      'agui.resumeStatus': 'resolved',
      own: 1,
    };
    const msgs = new AguiMessageConverter().toMsgs([
      { id: 'u', role: 'user', content: 'approved', metadata },
      { id: 't', role: 'tool', toolCallId: 'c', content: 'done', metadata },
    ]);
    for (const msg of msgs) expect(msg.metadata).toEqual({ own: 1 });
    expect(JSON.stringify(msgs)).not.toContain('agui.');
  });

  it('should name the tool of a result after its call', () => {
    const [, known, unknown] = converter.toMsgs([
      { id: 'm1', role: 'assistant', toolCalls: [functionCall('c1', 'f', '')] },
      { id: 'm2', role: 'tool', toolCallId: 'c1', content: 'ok' },
      { id: 'm3', role: 'tool', toolCallId: 'c2', content: 'ok' },
    ]);

    expect(known!.content[0]).toMatchObject({ id: 'c1', name: 'f' });
    expect(unknown!.content[0]).toMatchObject({ id: 'c2', name: 'unknown' });
  });

  it('should make several messages of a whole reply, with the ids they were streamed under', () => {
    const msg: Msg = {
      id: 'r1',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'thinking', thinking: 'hm hm', encryptedValue: 'sealed' },
        { type: 'text', text: 'Let me ' },
        { type: 'text', text: 'look.' },
        { type: 'hint', hint: 'for the model only' },
        { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 }, content: '' },
        {
          type: 'tool_result',
          id: 'c1',
          name: 'f',
          state: 'success',
          output: [{ type: 'text', text: 'ok' }],
        },
      ],
    };

    expect(converter.toAguiMessages([msg])).toEqual([
      { id: 'r1-reasoning', role: 'reasoning', content: 'hm' },
      {
        id: 'r1-reasoning-2',
        role: 'reasoning',
        content: 'hm hm',
        encryptedValue: 'sealed',
      },
      {
        id: 'r1',
        role: 'assistant',
        content: 'Let me look.',
        toolCalls: [functionCall('c1', 'f', '{"a":1}')],
      },
      { id: 'c1-result', role: 'tool', toolCallId: 'c1', content: 'ok' },
    ]);
  });

  it('should make a message for each of several results', () => {
    const result = (id: string) => ({
      type: 'tool_result' as const,
      id,
      name: 'f',
      state: 'success' as const,
      output: [],
    });

    expect(
      converter.toAguiMessages([
        {
          id: 'm1',
          role: 'tool',
          content: [
            { type: 'text', text: 'not a message of its own' },
            result('c1'),
            result('c2'),
          ],
        },
      ]),
    ).toEqual([
      { id: 'm1', role: 'tool', toolCallId: 'c1', content: '' },
      { id: 'm1-2', role: 'tool', toolCallId: 'c2', content: '' },
    ]);
  });

  it('should make nothing of an empty answer', () => {
    expect(
      converter.toAguiMessages([{ id: 'm1', role: 'assistant', content: [] }]),
    ).toEqual([]);
  });
});

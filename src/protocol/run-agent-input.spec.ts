import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { describe, expect, it, vi } from 'vitest';
import {
  InvalidRunAgentInputError,
  parseRunAgentInput,
} from './run-agent-input.js';

const MINIMAL = { threadId: 't1', runId: 'r1', messages: [] };

function issuesOf(body: unknown): unknown {
  try {
    parseRunAgentInput(body);
  } catch (error) {
    if (error instanceof InvalidRunAgentInputError) return error.issues;
    throw error;
  }
  return 'valid';
}

function pathsOf(body: unknown): unknown {
  const issues = issuesOf(body);
  return Array.isArray(issues)
    ? issues.map(({ path }: { path: string }) => path)
    : issues;
}

/** One user message's content, and what is left of it. */
function contentOf(content: unknown): unknown {
  const messages = [{ id: 'u1', role: 'user', content }];
  const { input, ignored } = parseRunAgentInput({ ...MINIMAL, messages });
  return { content: input.messages[0]!.content, ignored };
}

describe('parseRunAgentInput', () => {
  it('should fill in the lists that may be absent', () => {
    expect(parseRunAgentInput(MINIMAL)).toEqual({
      input: { ...MINIMAL, tools: [], context: [] },
      ignored: [],
    });
  });

  it('should keep every member that the protocol describes', () => {
    const body = {
      threadId: 't1',
      runId: 'r1',
      protocolVersion: '1.0',
      parentRunId: 'r0',
      state: { count: 1 },
      messages: [],
      tools: [
        {
          name: 'search',
          description: 'Searches',
          parameters: { type: 'object', properties: { q: null } },
          metadata: { icon: null },
        },
      ],
      context: [{ description: 'Locale', value: 'de' }],
      forwardedProps: { agentId: 'a' },
      resume: [
        {
          interruptId: 'i1',
          status: 'resolved',
          payload: { approved: true },
          metadata: { by: 'Ann' },
        },
      ],
    };
    expect(parseRunAgentInput(body)).toEqual({ input: body, ignored: [] });
  });

  it('should take a message of every role', () => {
    const messages = [
      { id: '1', role: 'developer', content: 'be brief', name: 'Dev' },
      { id: '2', role: 'system', content: 'be kind' },
      { id: '3', role: 'user', content: 'hello' },
      {
        id: '4',
        role: 'assistant',
        toolCalls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'search', arguments: '' },
            encryptedValue: 'opaque',
          },
        ],
      },
      {
        id: '5',
        role: 'tool',
        toolCallId: 'c1',
        content: '',
        error: 'denied',
      },
      {
        id: '6',
        role: 'reasoning',
        content: 'hm',
        encryptedValue: 'opaque',
      },
      {
        id: '7',
        role: 'activity',
        activityType: 'plan',
        content: { steps: [null] },
      },
    ];
    const parsed = parseRunAgentInput({ ...MINIMAL, messages });
    expect(parsed.input.messages).toEqual(messages);
    expect(parsed.ignored).toEqual([]);
  });

  it('should take parts of every kind from every source', () => {
    const parts = [
      { type: 'text', text: 'look', id: 'p1' },
      {
        type: 'image',
        source: { type: 'data', value: 'AAAA', mimeType: 'image/png' },
      },
      { type: 'audio', source: { type: 'url', value: 'https://x.test/a' } },
      {
        type: 'video',
        source: { type: 'url', value: 'https://x.test/v', mimeType: 'video/x' },
      },
      {
        type: 'document',
        source: { type: 'file', value: 'file-1', provider: 'openai' },
        metadata: { filename: 'a.pdf', page: null },
      },
    ];
    expect(contentOf(parts)).toEqual({ content: parts, ignored: [] });
  });

  it('should upgrade the binary parts of older clients, and drop the empty ones', () => {
    const binary = { type: 'binary', mimeType: 'image/png' };
    expect(contentOf([{ ...binary, data: 'AAAA' }, binary])).toEqual({
      content: [
        {
          type: 'image',
          source: { type: 'data', value: 'AAAA', mimeType: 'image/png' },
        },
      ],
      ignored: ['/messages/0/content/1'],
    });
  });

  it('should take parts as the content of a tool message', () => {
    const messages = [
      {
        id: 't1',
        role: 'tool',
        toolCallId: 'c1',
        content: [{ type: 'text', text: 'done' }, { type: 'hologram' }],
      },
    ];
    const { input, ignored } = parseRunAgentInput({ ...MINIMAL, messages });
    expect(input.messages[0]!.content).toEqual([
      { type: 'text', text: 'done' },
    ]);
    expect(ignored).toEqual(['/messages/0/content/1']);
  });

  it.each([undefined, null])('should read the state %s as none', (state) => {
    const { input } = parseRunAgentInput({ ...MINIMAL, state });
    expect(input.state).toBeUndefined();
  });

  it('should omit every optional null', () => {
    const { input, ignored } = parseRunAgentInput({
      ...MINIMAL,
      protocolVersion: null,
      tools: null,
      context: null,
      forwardedProps: null,
      resume: null,
      messages: [{ id: '1', role: 'assistant', content: null, name: null }],
    });
    expect(input).toEqual({
      threadId: 't1',
      runId: 'r1',
      tools: [],
      context: [],
      messages: [{ id: '1', role: 'assistant' }],
    });
    expect(ignored).toEqual([]);
  });

  it('should drop what the protocol does not describe, and say where', () => {
    const { input, ignored } = parseRunAgentInput({
      ...MINIMAL,
      data: {},
      messages: [
        { id: '1', role: 'user', content: 'hi', mood: 'good' },
        { id: '2', role: 'oracle', content: 'hm' },
      ],
      tools: [{ name: 'a', description: 'A', strict: true }],
    });
    expect(input.messages).toEqual([{ id: '1', role: 'user', content: 'hi' }]);
    expect(input.tools).toEqual([{ name: 'a', description: 'A' }]);
    expect(ignored).toEqual([
      '/messages/0/mood',
      '/messages/1',
      '/data',
      '/tools/0/strict',
    ]);
  });

  it('should drop a part of an unknown kind, or with an unknown source', () => {
    expect(
      contentOf([
        { type: 'text', text: 'before' },
        { type: 'hologram', source: { type: 'data', value: 'A' } },
        { type: 'image', source: { type: 'dream', value: 'A' }, extra: 1 },
        { type: 'text', text: 'after', bold: true },
      ]),
    ).toEqual({
      content: [
        { type: 'text', text: 'before' },
        { type: 'text', text: 'after' },
      ],
      ignored: [
        '/messages/0/content/1',
        '/messages/0/content/2',
        '/messages/0/content/3/bold',
      ],
    });
  });

  it('should not touch the forwarded properties, nulls inside included', () => {
    const forwardedProps = { a: null, b: { type: 'binary', c: [null] } };
    const { input } = parseRunAgentInput({ ...MINIMAL, forwardedProps });
    expect(input.forwardedProps).toBe(forwardedProps);
  });

  it.each<[body: unknown, paths: string[]]>([
    [{ runId: 'r1', messages: [] }, ['threadId']],
    [{ threadId: 't1', messages: [] }, ['runId']],
    [{ threadId: 't1', runId: 'r1' }, ['messages']],
    [{ thread_id: 't1', messages: [] }, ['threadId', 'runId']],
    [{ ...MINIMAL, threadId: null }, ['threadId']],
    [{ ...MINIMAL, runId: 7 }, ['runId']],
    [
      { ...MINIMAL, messages: [{ role: 'user', content: 'hi' }] },
      ['messages.0.id'],
    ],
    [
      {
        ...MINIMAL,
        messages: [
          { id: '1', role: 'user', content: 'hi' },
          { id: '2', role: 'tool', content: 'ok' },
        ],
      },
      ['messages.1.toolCallId'],
    ],
    [
      { ...MINIMAL, messages: [{ id: '1', content: 'hi' }] },
      ['messages.0.role'],
    ],
    [{ ...MINIMAL, messages: 'hi' }, ['messages']],
    [
      { ...MINIMAL, messages: [{ id: '1', role: 'user', content: 5 }] },
      ['messages.0.content'],
    ],
    [
      { ...MINIMAL, resume: [{ interruptId: 'i1', status: 'maybe' }] },
      ['resume.0.status'],
    ],
  ])('should refuse %j and name the member', (body, paths) => {
    expect(pathsOf(body)).toEqual(paths);
  });

  it.each([[undefined], [null], ['text'], [5], [[]]])(
    'should refuse a body that is no object: %j',
    (body) => {
      expect(issuesOf(body)).toEqual([
        { path: '', message: 'The body must be a JSON object' },
      ]);
    },
  );

  it('should refuse tools that share a name', () => {
    const tool = { name: 'search', description: '' };
    const other = { name: 'find', description: '' };
    expect(issuesOf({ ...MINIMAL, tools: [tool, other, tool] })).toEqual([
      { path: 'tools.2.name', message: '"search" is declared twice' },
    ]);
  });

  it('should tell the first of very many things that are wrong', () => {
    const many = (item: unknown) => Array.from({ length: 250 }, () => item);
    const user = (content: unknown) => ({ id: '1', role: 'user', content });

    for (const [body, first, count] of [
      [{ ...MINIMAL, messages: many(0) }, 'messages.0', 100],
      [{ ...MINIMAL, tools: many({}) }, 'tools.0.name', 100],
      [{ ...MINIMAL, messages: [user(many(0))] }, 'messages.0.content.0', 100],
      [
        { ...MINIMAL, messages: [...many(user('hi')), 0, 0] },
        'messages.250',
        2,
      ],
      [
        { ...MINIMAL, context: [...many({ description: '', value: '' }), {}] },
        'context.250.description',
        2,
      ],
    ] as const) {
      const issues = issuesOf(body) as { path: string }[];
      expect(issues[0]!.path).toBe(first);
      expect(issues).toHaveLength(count);
    }
  });

  it('should not collect thousands of things that are wrong', () => {
    const zod = vi.spyOn(RunAgentInputSchema, 'safeParse');
    const messages = Array.from({ length: 90_000 }, () => 0);

    expect(issuesOf({ ...MINIMAL, messages })).toHaveLength(100);
    expect(zod).not.toHaveBeenCalled();
    zod.mockRestore();
  });

  it.each([
    ['state', (values: number) => Array.from({ length: values }, () => [])],
    [
      'forwardedProps',
      (values: number) =>
        Object.fromEntries(Array.from({ length: values }, (_, n) => [n, n])),
    ],
  ])('should refuse more values than can be read, in %s', (member, of) => {
    const own = 1 + Object.keys(MINIMAL).length + 1;
    const body = (values: number) => ({ ...MINIMAL, [member]: of(values) });

    expect(() => parseRunAgentInput(body(100_000 - own))).not.toThrow();
    expect(issuesOf(body(100_001 - own))).toEqual([
      { path: '', message: 'More than 100000 values' },
    ]);
  });

  it.each(['state', 'forwardedProps', 'unknown'])(
    'should refuse %s that is nested too deep to be read',
    (member) => {
      const nested = (levels: number): unknown =>
        JSON.parse('['.repeat(levels) + ']'.repeat(levels));

      expect(issuesOf({ ...MINIMAL, [member]: nested(10_000) })).toEqual([
        { path: member, message: 'Nested deeper than 500 levels' },
      ]);
      expect(() =>
        parseRunAgentInput({ ...MINIMAL, [member]: nested(500) }),
      ).not.toThrow();
    },
  );

  it('should name all that is wrong in its message', () => {
    expect(() => parseRunAgentInput({ threadId: 't1', runId: 'r1' })).toThrow(
      /^Not a valid RunAgentInput: messages: /,
    );
  });

  it('should take no harm from prototype names', () => {
    const body: unknown = JSON.parse(
      `{ "threadId": "t1", "runId": "r1", "__proto__": { "admin": true },
        "constructor": 1, "messages": [
          { "id": "1", "role": "user", "content": "hi", "__proto__": {} },
          { "id": "2", "role": "__proto__", "content": "hi" },
          { "id": "3", "role": "toString", "content": "hi" }
        ], "forwardedProps": { "__proto__": { "admin": true } } }`,
    );
    const { input, ignored } = parseRunAgentInput(body);
    expect(input.messages).toEqual([{ id: '1', role: 'user', content: 'hi' }]);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect((input as unknown as { admin: unknown }).admin).toBeUndefined();
    expect(JSON.stringify(input.forwardedProps)).toBe(
      '{"__proto__":{"admin":true}}',
    );
    expect(ignored).toEqual([
      '/__proto__',
      '/constructor',
      '/messages/0/__proto__',
      '/messages/1',
      '/messages/2',
    ]);
  });

  it('should not change the body', () => {
    const body = {
      ...MINIMAL,
      extra: 1,
      state: null,
      messages: [
        {
          id: '1',
          role: 'user',
          content: [{ type: 'binary', mimeType: 'image/png', data: 'A' }],
        },
      ],
    };
    const copy = structuredClone(body);
    parseRunAgentInput(body);
    expect(body).toEqual(copy);
  });
});

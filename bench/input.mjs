// The run inputs that the load process sends.
let serial = 0;
const histories = new Map();

/** The body of a request: a run on a thread of its own, perhaps with a long history. */
export function inputOf(prompt, historyBytes = 0) {
  const id = `${process.pid}-${serial++}`;
  return `{"threadId":"thread-${id}","runId":"run-${id}","protocolVersion":"1.0","state":{},"tools":[],"context":[],"forwardedProps":{},"messages":[${historyText(historyBytes)}{"id":"message-${id}","role":"user","content":${JSON.stringify(prompt)}}]}`;
}

/** The JSON of a history of about so many bytes; each message is followed by a comma. */
function historyText(bytes) {
  let text = histories.get(bytes);
  if (text === undefined) {
    text = historyOf(bytes)
      .map((message) => `${JSON.stringify(message)},`)
      .join('');
    histories.set(bytes, text);
  }
  return text;
}

const SENTENCE = 'The quick brown fox jumps over the "lazy" dog — again. ';

/** Turns of a question, reasoning, two tool calls with results of 2 KB, and an answer: 6 KB each. */
export function historyOf(bytes) {
  const messages = [];
  for (let turn = 0, size = 0; size < bytes; turn++) {
    const calls = [0, 1].map((number) => ({
      id: `call-${turn}-${number}`,
      type: 'function',
      function: {
        name: 'search',
        arguments: JSON.stringify({ query: SENTENCE, page: number }),
      },
    }));
    const made = [
      { id: `user-${turn}`, role: 'user', content: SENTENCE.repeat(3) },
      {
        id: `thought-${turn}`,
        role: 'reasoning',
        content: SENTENCE.repeat(8),
      },
      { id: `calls-${turn}`, role: 'assistant', toolCalls: calls },
      ...calls.map(({ id }) => ({
        id: `${id}-result`,
        role: 'tool',
        toolCallId: id,
        content: SENTENCE.repeat(36),
      })),
      {
        id: `answer-${turn}`,
        role: 'assistant',
        content: SENTENCE.repeat(16),
      },
    ];
    messages.push(...made);
    size += Buffer.byteLength(JSON.stringify(made));
  }
  return messages;
}

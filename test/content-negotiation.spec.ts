import { decode } from '@ag-ui/proto';
import { afterEach, describe, expect, it } from 'vitest';
import { sayer, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import {
  eventsOf,
  inputOf,
  openSocket,
  openStream,
  post,
  typesOf,
} from './support/client.js';

const PROTOBUF = 'application/vnd.ag-ui.event+proto';
const SSE = 'text/event-stream';

/** The events of a protobuf body; a frame that is cut short is an error. */
function framesOf(body: Buffer): { type: string }[] {
  const events: { type: string }[] = [];
  for (let at = 0; at < body.length;) {
    const end = at + 4 + body.readUInt32BE(at);
    if (end > body.length) throw new Error('The last frame is cut short.');
    events.push(decode(body.subarray(at + 4, end)) as { type: string });
    at = end;
  }
  return events;
}

describe.each(PLATFORMS)('content negotiation on %s', (platform) => {
  afterEach(closeApps);

  it.each([
    '*/*',
    '',
    'text/*',
    'text/event-stream',
    'TEXT/Event-Stream',
    'text/event-stream; charset=utf-8',
    'text/html, */*;q=0.1',
    'application/json, text/event-stream',
    `${PROTOBUF};q=0, ${SSE}`,
    `${PROTOBUF};q=0, */*`,
    'application/*, text/*',
  ])('should answer Accept "%s" with SSE', async (accept) => {
    const app = await serve(platform, sayer('Hi'));
    const response = await post(app, inputOf(), { headers: { accept } });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(SSE);
    expect(typesOf(await eventsOf(response)).at(-1)).toBe('RUN_FINISHED');
  });

  it('should answer a request without Accept with SSE', async () => {
    const app = await serve(platform, sayer('Hi'));
    const { response } = await openStream(app);

    expect(response.headers['content-type']).toBe(SSE);
    response.resume();
  });

  it.each([
    PROTOBUF,
    'Application/Vnd.AG-UI.Event+Proto',
    `${SSE}, ${PROTOBUF}`,
    `${PROTOBUF};q=0.1, ${SSE}`,
    `${SSE};q=0, ${PROTOBUF}`,
  ])('should answer Accept "%s" with protobuf', async (accept) => {
    const app = await serve(platform, sayer('Grün 🦜'));
    const response = await post(app, inputOf(), { headers: { accept } });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(PROTOBUF);
    expect(response.headers.get('cache-control')).toBe(
      'no-cache, no-transform',
    );
    const events = framesOf(Buffer.from(await response.arrayBuffer()));
    expect(typesOf(events)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(events[0]).toMatchObject({ threadId: 't1', runId: 'r1' });
    expect(events[2]).toMatchObject({ messageId: 'r', delta: 'Grün 🦜' });
  });

  it('should send protobuf frames as they come', async () => {
    const agent = silentAgent();
    const app = await serve(platform, agent);
    const socket = await openSocket(app, inputOf(), [`Accept: ${PROTOBUF}`]);
    let received = Buffer.alloc(0);
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (received.includes('r1')) resolve();
      });
      socket.resume();
    });

    expect(received.includes('RUN_FINISHED')).toBe(false);
    socket.destroy();
    await agent.stopped.promise;
  });

  it.each([
    'application/json',
    'text/html',
    `${SSE};q=0`,
    `${SSE};q=0, */*`,
    `${PROTOBUF};q=0`,
    'application/x-protobuf',
  ])('should refuse Accept "%s" with 406', async (accept) => {
    const app = await serve(platform, sayer('Hi'));
    const response = await post(app, inputOf(), { headers: { accept } });

    expect(response.status).toBe(406);
    expect(await response.json()).toEqual({
      statusCode: 406,
      error: 'Not Acceptable',
      message: `This endpoint answers ${SSE} or ${PROTOBUF}.`,
    });
  });
});

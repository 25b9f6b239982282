// The graph that the LangGraph server loads by itself.
import { AIMessage } from '@langchain/core/messages';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';
import {
  END,
  interrupt,
  MessagesZodState,
  START,
  StateGraph,
} from '@langchain/langgraph';

/** Told of each run that waits: of its start, and of its end by cancelling. */
const waits = globalThis[Symbol.for('nestjs-agui:graph-waits')];

/** Says what it has heard; at "ask" it asks, at "wait" it waits for ever. */
export const graph = new StateGraph(MessagesZodState)
  .addNode('talk', async ({ messages }, { signal }) => {
    const heard = messages
      .filter((message) => message.getType() === 'human')
      .map(({ text }) => text);
    if (heard.at(-1) === 'ask') {
      const answer = interrupt({ message: 'Really?' });
      return { messages: [new AIMessage(`Told ${JSON.stringify(answer)}`)] };
    }
    if (heard.at(-1) === 'wait') await cancelled(signal);
    const model = new FakeStreamingChatModel({
      sleep: 0,
      responses: [new AIMessage(`Heard ${heard.join(', ')}`)],
    });
    return { messages: [await model.invoke(messages)] };
  })
  .addEdge(START, 'talk')
  .addEdge('talk', END)
  .compile();

async function cancelled(signal) {
  waits.dispatchEvent(new Event('start'));
  await new Promise((resolve) =>
    signal.addEventListener('abort', resolve, { once: true }),
  );
  waits.dispatchEvent(new Event('stop'));
  signal.throwIfAborted();
}

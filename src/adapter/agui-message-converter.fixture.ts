import type { Message } from '@ag-ui/core';
import { MessageSchema } from '@ag-ui/core/schemas';
import { expect } from 'vitest';
import type { Msg } from '../agent/msg.js';
import { AguiMessageConverter } from './agui-message-converter.js';

export const converter = new AguiMessageConverter();

export const toMsg = (message: Message) => converter.toMsgs([message])[0];

/** What a message is for the agent; on the way back it must become itself again. */
export function bothWays(message: Message): Msg | undefined {
  const msg = toMsg(message);
  const back = converter.toAguiMessages(msg === undefined ? [] : [msg]);
  expect(back).toEqual([message]);
  expect(back.map((one) => MessageSchema.parse(one))).toEqual(back);
  return msg;
}

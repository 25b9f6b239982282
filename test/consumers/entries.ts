import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { documentAgui } from 'nestjs-agui/swagger';
import {
  brokenRules,
  FakeAgent,
  runAgent,
  type FakeTurn,
} from 'nestjs-agui/testing';

const turn: FakeTurn = [{ toolCall: 'look', result: 'far' }, 'It is far.'];

/** An agent for the other entries to look at. */
export const fake = new FakeAgent(turn);

/** Uses the entries that tests and documentation need, as an application does. */
export async function checkEntries(app: INestApplication): Promise<void> {
  const run = await runAgent(app, 'Hi', { agentId: 'fake' });
  if (
    run.text !== 'It is far.' ||
    brokenRules(run.events, run.input).length > 0
  )
    throw new Error(`The fake agent said ${JSON.stringify(run.events)}`);
  const config = new DocumentBuilder().build();
  const document = documentAgui(app, SwaggerModule.createDocument(app, config));
  const body = document.paths['/agui/run/{agentId}']?.post?.requestBody;
  if (body === undefined || !document.components?.schemas?.['RunAgentInput'])
    throw new Error('The run route is not documented.');
}

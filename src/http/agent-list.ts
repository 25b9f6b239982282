import type { AgentCapabilities } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type {
  AguiAgentRegistry,
  RegisteredAgent,
} from '../agent/agui-agent.registry.js';
import { jsonText } from '../protocol/json-text.js';
import { loggedMessageOf } from '../thrown.js';

/** An agent as the list of agents shows it. */
export interface ListedAgent {
  id: string;
  capabilities?: AgentCapabilities;
}

/** How long an agent may take to tell its capabilities, in milliseconds. */
const PATIENCE = 5_000;

const logger = new Logger('AguiModule');

/** The exposed agents and what they say they can do. */
export function listAgents(
  registry: AguiAgentRegistry,
): Promise<ListedAgent[]> {
  const agents = registry
    .ids()
    .map((id) => registry.get(id)!)
    .filter(({ exposed }) => exposed);
  return Promise.all(
    agents.map(async (agent) => ({
      id: agent.id,
      ...(await capabilitiesOf(agent)),
    })),
  );
}

async function capabilitiesOf({
  id,
  instance,
}: RegisteredAgent): Promise<{ capabilities?: AgentCapabilities }> {
  try {
    const told = await withPatience(instance?.getCapabilities?.());
    return told === undefined
      ? {}
      : { capabilities: JSON.parse(jsonText(told)) as AgentCapabilities };
  } catch (error) {
    logger.warn(
      `Agent "${id}" failed to tell its capabilities: ${loggedMessageOf(error)}`,
    );
    return {};
  }
}

/** One agent that does not answer must not keep the others from the list. */
async function withPatience<T>(answer: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${PATIENCE} ms`)),
      PATIENCE,
    );
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    clearTimeout(timer);
  }
}

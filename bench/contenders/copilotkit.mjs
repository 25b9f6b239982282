// What they would install: CopilotKit's runtime in front of an agent in the same process.
process.env.COPILOTKIT_TELEMETRY_DISABLED = 'true';
process.env.DO_NOT_TRACK = '1';
import { createServer } from 'node:http';
import { AbstractAgent } from '@ag-ui/client';
import { from } from 'rxjs';
import { aguiEvents } from '../agent.mjs';
import { listenOn, serve } from './serve.mjs';

const { CopilotRuntime } = await import('@copilotkit/runtime/v2');
const { createCopilotNodeListener } =
  await import('@copilotkit/runtime/v2/node');

class InProcessAgent extends AbstractAgent {
  run(input) {
    return from(aguiEvents(input));
  }
}

const runtime = new CopilotRuntime({
  agents: { default: new InProcessAgent() },
});
const listener = createCopilotNodeListener({ runtime, basePath: '/api' });

await serve(listenOn(createServer(listener), '/api/agent/default/run'));

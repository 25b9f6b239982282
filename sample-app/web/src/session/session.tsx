import {
  AssistantRuntimeProvider,
  AuiConfig,
  Tools,
} from '@assistant-ui/react';
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui';
import { useEffect, useState } from 'react';
import { SampleAgent, type Routing } from '../agent/sample-agent';
import { attachmentAdapter } from '../chat/attachment-adapters';
import { Thread as Chat } from '../chat/thread';
import { RunInfo } from '../run/run-info';
import { RunInfoContext } from '../run/run-info-context';
import { RecipePanel } from '../state/recipe-panel';
import { toolkit } from '../tools/toolkit';
import type { WireLog } from '../wire/wire-log';
import { writeAddress } from './address';
import type { Thread } from './use-thread';

interface SessionProps {
  thread: Thread;
  model: string | null;
  routing: Routing;
  wire: WireLog;
}

const config = AuiConfig({ tools: Tools({ toolkit }) });

/** One thread with one agent. */
export function Session({ thread, model, routing, wire }: SessionProps) {
  const { agentId, threadId, restored, notice } = thread;
  const [{ agent, info }] = useState(() => begin(thread, wire));
  agent.routing = routing;
  const runtime = useAgUiRuntime({
    agent,
    onCancel: () => void agent.cancelRun(),
    onError: (error) => info.fail(error),
    adapters: { attachments: attachmentAdapter },
  });
  useEffect(() => {
    const { unsubscribe } = agent.subscribe({
      onRunInitialized: () => writeAddress({ agentId, threadId }),
    });
    if (restored !== undefined) {
      agent.restore(restored);
      runtime.thread.startRun({ parentId: null });
    }
    return unsubscribe;
  }, [agent, agentId, threadId, restored]);
  return (
    <RunInfoContext value={info}>
      <AssistantRuntimeProvider runtime={runtime} config={config}>
        <main className="session">
          <Chat agentId={agentId} model={model} notice={notice} />
          {agentId === 'recipe' && <RecipePanel />}
        </main>
      </AssistantRuntimeProvider>
    </RunInfoContext>
  );
}

function begin({ agentId, threadId }: Thread, wire: WireLog) {
  const agent = new SampleAgent(agentId, threadId, wire);
  return { agent, info: new RunInfo(agent) };
}

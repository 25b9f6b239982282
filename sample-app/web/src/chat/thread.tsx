import { ThreadPrimitive } from '@assistant-ui/react';
import { Approvals } from '../approval/approvals';
import { RunStrip } from '../run/run-strip';
import { AssistantMessage } from './assistant-message';
import { Composer } from './composer';
import { ModelNotice } from './model-notice';
import { UserMessage } from './user-message';
import { Welcome } from './welcome';

interface ThreadProps {
  agentId: string;
  model: string | null;
  notice?: string;
}

export function Thread({ agentId, model, notice }: ThreadProps) {
  return (
    <ThreadPrimitive.Root className="thread">
      <ModelNotice model={model} />
      {notice !== undefined && (
        <p className="thread-notice" role="status">
          {notice}
        </p>
      )}
      <ThreadPrimitive.Viewport
        className="viewport"
        tabIndex={0}
        role="log"
        aria-label="Conversation"
      >
        <ThreadPrimitive.Empty>
          <Welcome agentId={agentId} />
        </ThreadPrimitive.Empty>
        <ThreadPrimitive.Messages>
          {({ message }) =>
            message.role === 'user' ? <UserMessage /> : <AssistantMessage />
          }
        </ThreadPrimitive.Messages>
        <Approvals />
      </ThreadPrimitive.Viewport>
      <RunStrip />
      <Composer />
    </ThreadPrimitive.Root>
  );
}

import {
  MessagePartPrimitive,
  MessagePrimitive,
  type ToolCallMessagePartProps,
} from '@assistant-ui/react';
import { Markdown } from '../chat/markdown';
import { Reasoning } from '../chat/reasoning';
import { Card, Result, ToolCard } from './tool-card';

const PARTS = { Text: Markdown, Reasoning, tools: { Fallback: ToolCard } };

/** A call that another agent answers: what that one thinks, does and says, live. */
export function SubagentCard(props: ToolCallMessagePartProps) {
  const hasMessages = (props.messages?.length ?? 0) > 0;
  return (
    <Card {...props}>
      {hasMessages ? (
        <div className="nested" role="group" aria-label="Subagent">
          <MessagePartPrimitive.Messages>
            {() => <MessagePrimitive.Parts components={PARTS} />}
          </MessagePartPrimitive.Messages>
        </div>
      ) : (
        <Result {...props} />
      )}
    </Card>
  );
}

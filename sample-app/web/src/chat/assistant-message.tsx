import { MessagePrimitive, useAuiState } from '@assistant-ui/react';
import { CustomEvent, TokenUsage } from '../run/custom-event';
import { SubagentCard } from '../tools/subagent-card';
import { ToolCard } from '../tools/tool-card';
import { WeatherCard } from '../tools/weather-card';
import { Failure } from './failure';
import { Markdown } from './markdown';
import { Reasoning } from './reasoning';

const PARTS = {
  Text: Markdown,
  Reasoning,
  Empty: Waiting,
  tools: {
    by_name: {
      get_weather: WeatherCard,
      web_researcher: SubagentCard,
      library_researcher: SubagentCard,
    },
    Fallback: ToolCard,
  },
  data: { by_name: { token_usage: TokenUsage }, Fallback: CustomEvent },
};

export function AssistantMessage() {
  const wasStopped = useAuiState(
    ({ message: { status } }) =>
      status?.type === 'incomplete' && status.reason === 'cancelled',
  );
  return (
    <MessagePrimitive.Root
      className="message assistant"
      role="article"
      aria-label="Answer"
    >
      <MessagePrimitive.Parts components={PARTS} />
      {wasStopped && <p className="stopped">Stopped.</p>}
      <MessagePrimitive.Error>
        <Failure />
      </MessagePrimitive.Error>
    </MessagePrimitive.Root>
  );
}

function Waiting({ status }: { status: { type: string } }) {
  if (status.type !== 'running') return null;
  return (
    <p className="waiting" role="status">
      <span className="hidden">The agent is working</span>
      <span aria-hidden="true">● ● ●</span>
    </p>
  );
}

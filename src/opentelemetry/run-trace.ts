import { context, type Context, type Span } from '@opentelemetry/api';
import type { AgentEvent } from '../agent/agent-event.js';
import type { ExecutedCall } from '../agent/tool-surroundings.js';
import type { RunObservation, RunSummary } from '../run/agui-run-observer.js';
import { detailsOf, loggedMessageOf } from '../thrown.js';
import { ATTRIBUTE, errorTypeOf } from './attributes.js';
import { fail } from './fail.js';
import type { ModelCalls } from './model-calls.js';
import type { ToolSpans } from './tool-spans.js';

/** The span of one run, and those below it. */
export class RunTrace implements RunObservation {
  /** @param onEnd is told how the run ended, too. */
  constructor(
    private readonly span: Span,
    private readonly within: Context,
    private readonly models: ModelCalls,
    private readonly tools: ToolSpans,
    private readonly onEnd: (summary: RunSummary) => void,
  ) {}

  around<T>(act: () => T): T {
    return context.with(this.within, act);
  }

  aroundTool<T>(call: ExecutedCall, act: () => T): T {
    return this.tools.execute(call, act);
  }

  agentEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'AGENT_START':
        if (event.source === undefined && event.name !== undefined)
          this.span.setAttribute(ATTRIBUTE.AGENT_NAME, event.name);
        return;
      case 'MODEL_CALL_START':
        return this.models.start(event);
      case 'MODEL_CALL_END':
        return this.models.end(event);
      case 'TOOL_CALL_START':
        return this.tools.name(event);
      case 'TOOL_CALL_END':
        return this.tools.start(event);
      case 'TOOL_RESULT_END':
        return this.tools.end(event);
    }
  }

  end(summary: RunSummary): void {
    const { outcome, code, error, events, bytes } = summary;
    const { span } = this;
    const failure = outcome === 'error' ? (code ?? '_OTHER') : undefined;
    this.models.close(failure);
    this.tools.close();
    span.setAttributes({
      ...this.models.summary(),
      [ATTRIBUTE.OUTCOME]: outcome,
      [ATTRIBUTE.EVENTS]: events,
      [ATTRIBUTE.BYTES]: bytes,
    });
    if (error !== undefined)
      span.recordException({
        name: errorTypeOf(error),
        message: loggedMessageOf(error),
        stack: detailsOf(error),
      });
    if (failure !== undefined) fail(span, failure);
    span.end();
    this.onEnd(summary);
  }
}

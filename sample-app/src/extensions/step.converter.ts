import { EventType } from '@ag-ui/core';
import { Injectable } from '@nestjs/common';
import {
  AgentEventConverter,
  AgentEventType,
  type AgentEventOf,
  type AguiStreamContext,
} from 'nestjs-agui';

/** Turns the custom events `step-started` and `step-finished` into AG-UI's steps; others stay custom. */
@Injectable()
@AgentEventConverter(AgentEventType.CUSTOM)
export class StepConverter implements AgentEventConverter<
  AgentEventOf<'CUSTOM'>
> {
  convert(event: AgentEventOf<'CUSTOM'>, context: AguiStreamContext): void {
    const { name, value } = event;
    const stepName = String(value);
    if (name === 'step-started')
      context.emit({ type: EventType.STEP_STARTED, stepName });
    else if (name === 'step-finished')
      context.emit({ type: EventType.STEP_FINISHED, stepName });
    else context.emit({ type: EventType.CUSTOM, name, value });
  }
}

import { Logger } from '@nestjs/common';
import { describeRun } from '../adapter/run-description.js';
import { oneLine, quoted } from '../log-text.js';
import { jsonText } from '../protocol/json-text.js';
import { Transcript } from '../protocol/transcript.js';
import type {
  AguiRunObserver,
  ObservedRun,
  RunObservation,
  RunSummary,
} from './agui-run-observer.js';

const logger = new Logger('AguiModule');

/** Writes one line of each run into the log, at its end; if it may, also what was said. */
export class RunReporter implements AguiRunObserver {
  /** @param payloads whether texts and arguments may be logged. */
  constructor(private readonly payloads: boolean) {}

  begin(run: ObservedRun): RunObservation {
    const name = describeRun(run.input, run.context);
    const end = (summary: RunSummary) => logger.log(lineOf(name, summary));
    if (!this.payloads) return { end };
    debug(`The ${name} was given`, run.input);
    const transcript = new Transcript(run.input.messages);
    return {
      event: (event) => transcript.apply(event),
      end: (summary) => {
        const given = new Set(run.input.messages.map(({ id }) => id));
        debug(
          `The ${name} said`,
          transcript.messages().filter(({ id }) => !given.has(id)),
        );
        end(summary);
      },
    };
  }
}

function lineOf(
  name: string,
  { outcome, code, duration, events, bytes }: RunSummary,
): string {
  const how = code === undefined ? outcome : `${outcome} ${quoted(code)}`;
  const figures = [
    `${Math.round(duration)} ms`,
    `${events} events`,
    ...(bytes === undefined ? [] : [`${bytes} bytes`]),
  ];
  return `The ${name} ended: ${how}; ${figures.join(', ')}.`;
}

function debug(what: string, payload: unknown): void {
  logger.debug(`${what}: ${oneLine(jsonText(payload))}`);
}

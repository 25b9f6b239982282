import { EventType } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiEventSink } from './agui-event-sink.js';

/** The way out of a run: whoever listens hears each event first, and the last one waits for what has to be kept. */
export class RunOutlet {
  private readonly observers: ((event: AguiEvent) => void)[] = [];
  private readonly endings: ((terminal: AguiEvent) => Promise<void>)[] = [];
  /** The last events on their way, while others keep what the run was about. */
  private readonly held: AguiEvent[] = [];
  private ending: Promise<void> | undefined;
  private sink: AguiEventSink | undefined;
  private handedOut = false;
  private count = 0;
  private last: AguiEvent | undefined;

  /**
   * @param onFailure is told of an event that could not be delivered.
   * @param errorEvent is what ends the run instead of its terminal event if a callback before the end rejects.
   */
  constructor(
    private readonly onFailure: (what: string, error: unknown) => void,
    private readonly errorEvent: (error: unknown) => AguiEvent,
  ) {}

  /** True once the terminal event has been handed out. */
  get ended(): boolean {
    return this.handedOut;
  }

  /** The event that ended the run, once it has been handed out. */
  get terminal(): AguiEvent | undefined {
    return this.last;
  }

  /** How many events were handed out. */
  get events(): number {
    return this.count;
  }

  /** How many bytes they took, if the sink knows. */
  get bytes(): number | undefined {
    return this.sink?.bytes;
  }

  /** Resolves when nothing is held any more. */
  get settled(): Promise<void> | undefined {
    return this.ending;
  }

  observe(observer: (event: AguiEvent) => void): void {
    this.observers.push(observer);
  }

  beforeEnd(callback: (terminal: AguiEvent) => Promise<void>): void {
    this.endings.push(callback);
  }

  open(sink: AguiEventSink): void {
    this.sink = sink;
  }

  deliver(event: AguiEvent): void {
    const terminal =
      event.type === EventType.RUN_FINISHED ||
      event.type === EventType.RUN_ERROR;
    if (!terminal || this.endings.length === 0 || this.handedOut)
      return this.handOut(event, terminal);
    this.held.push(event);
    this.ending ??= this.runEndings(event).then(
      () => this.handOutHeld(),
      (error: unknown) => {
        this.held.splice(0, this.held.length, this.errorEvent(error));
        this.handOutHeld();
      },
    );
  }

  private handOutHeld(): void {
    for (const last of this.held) this.handOut(last, true);
  }

  private handOut(event: AguiEvent, terminal: boolean): void {
    try {
      for (const observer of this.observers) observer(event);
      this.count++;
      if (terminal) {
        this.handedOut = true;
        this.last ??= event;
      }
      this.sink?.write(event);
    } catch (error) {
      this.onFailure(`${event.type} could not be delivered.`, error);
    }
  }

  private async runEndings(terminal: AguiEvent): Promise<void> {
    for (const ending of this.endings) await ending(terminal);
  }
}

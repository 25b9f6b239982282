const INTERVAL = 5;

/**
 * Measures for how long the event loop stands still, by a timer that ticks all the time. On a busy machine a process
 * may stand still without any fault of its own, so no more counts than the processor time that it took meanwhile.
 */
export class LoopWatch {
  private stuck = 0;
  private tick = performance.now();
  private cpu = process.cpuUsage();

  constructor() {
    setInterval(() => this.look(), INTERVAL);
  }

  /** The longest time since it was asked last, in milliseconds. */
  longest(): number {
    this.look();
    const longest = this.stuck;
    this.stuck = 0;
    return longest;
  }

  private look(): void {
    const { user, system } = process.cpuUsage(this.cpu);
    const elapsed = performance.now() - this.tick - INTERVAL;
    this.stuck = Math.max(
      this.stuck,
      Math.min(elapsed, (user + system) / 1000),
    );
    this.tick = performance.now();
    this.cpu = process.cpuUsage();
  }
}

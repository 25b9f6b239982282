import { Logger } from '@nestjs/common';
import type { RedisClient } from './redis-script.js';

/** Messages between the servers that share a Redis. One may get lost: whoever waits for it looks now and then. */
export class RedisSignals {
  private readonly listeners = new Map<string, Set<(text: string) => void>>();
  private readonly subscriber: RedisClient;

  constructor(redis: RedisClient) {
    this.subscriber = redis.duplicate();
    const logger = new Logger('RedisThreadStore');
    // It connects again by itself.
    this.subscriber.on('error', (error: Error) =>
      logger.debug(`The subscription was interrupted: ${error.message}`),
    );
    this.subscriber.on('message', (channel: string, text: string) => {
      for (const listener of this.listeners.get(channel) ?? []) listener(text);
    });
  }

  /** Calls back with each message on a channel. @returns what ends that. */
  listen(channel: string, listener: (text: string) => void): () => void {
    let listeners = this.listeners.get(channel);
    if (listeners === undefined) {
      this.listeners.set(channel, (listeners = new Set()));
      this.subscriber.subscribe(channel).catch(() => undefined);
    }
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.listeners.get(channel) !== listeners)
        return;
      this.listeners.delete(channel);
      this.subscriber.unsubscribe(channel).catch(() => undefined);
    };
  }

  close(): void {
    this.subscriber.disconnect();
  }
}

/** Waits for something to look at again: a signal, a while, or the end of all waiting. */
export class Alarm {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  async wait(longest: number): Promise<void> {
    if (!this.rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longest);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.rung = false;
    this.wake = undefined;
  }
}

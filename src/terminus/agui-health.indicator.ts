import { Injectable } from '@nestjs/common';
import {
  HealthIndicatorService,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { ActiveRuns } from '../run/active-runs.js';
import { RunObservers } from '../run/run-observers.js';
import { ThreadStore } from '../thread/thread-store.js';

/** What {@link AguiHealthIndicator} tells besides `status`. A type, since terminus asks for one with an index. */
export type AguiHealth = {
  /** How many runs there are, those included that are still being prepared. */
  activeRuns: number;
  /** Whether threads can be kept and found. */
  storeReachable: boolean;
  /** Whether the application is closing: no run may begin, and those that there are end. */
  draining: boolean;
};

/**
 * Tells @nestjs/terminus how the module is. It is `up` while new runs can begin, so it belongs into a
 * check of readiness; a server that is draining, or has lost its store, is alive.
 *
 * @example
 * ```ts
 * @Module({ imports: [TerminusModule], controllers: [HealthController], providers: [AguiHealthIndicator] })
 * export class HealthModule {}
 * ```
 */
@Injectable()
export class AguiHealthIndicator {
  constructor(
    private readonly indicators: HealthIndicatorService,
    private readonly observers: RunObservers,
    private readonly activeRuns: ActiveRuns,
    private readonly store: ThreadStore,
  ) {}

  /** @param key what the module is called in the result. Default `agui`. */
  async isHealthy<const Key extends string = 'agui'>(
    key: Key = 'agui' as Key,
  ): Promise<HealthIndicatorResult<Key, 'up' | 'down', AguiHealth>> {
    const health: AguiHealth = {
      activeRuns: this.observers.active,
      storeReachable: await this.isStoreReachable(),
      draining: this.activeRuns.isClosing,
    };
    const indicator = this.indicators.check(key);
    return health.storeReachable && !health.draining
      ? indicator.up(health)
      : indicator.down(health);
  }

  private async isStoreReachable(): Promise<boolean> {
    try {
      await this.store.ping();
      return true;
    } catch {
      return false;
    }
  }
}

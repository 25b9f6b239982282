import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { launch, type Chromium } from './chromium.js';
import { adapterOf, type Platform } from './platforms.js';

const TOKEN_DELAY = 'SAMPLE_TOKEN_DELAY';

/** A page that tells at the end of a test whether anything was wrong with it. */
interface WatchedPage {
  close(): Promise<void>;
  expectNoComplaints(): void;
}

/** The sample on a platform, and a browser; every page that is watched must stay without complaints. */
export function useRunningSample<P extends WatchedPage>(
  platform: Platform,
  prepare?: (app: INestApplication) => void,
) {
  let app: INestApplication;
  let url: string;
  let browser: Chromium;
  const pages: P[] = [];

  beforeAll(async () => {
    vi.stubEnv(TOKEN_DELAY, '5');
    const module = await Test.createTestingModule({
      imports: [AppModule],
    }).compile();
    app = module.createNestApplication(adapterOf(platform), { logger: false });
    prepare?.(app);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    browser = await launch();
  });

  afterEach(async () => {
    vi.stubEnv(TOKEN_DELAY, '5');
    const opened = pages.splice(0);
    for (const page of opened) await page.close();
    for (const page of opened) page.expectNoComplaints();
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await browser.close();
    await app.close();
  });

  return {
    url: () => url,

    /** A tab in a profile of its own. */
    newTab: (options?: BrowserContextOptions): Promise<Page> =>
      browser.newPage(options),

    watch: (page: P): P => {
      pages.push(page);
      return page;
    },

    setTokenDelay: (milliseconds: number): void => {
      vi.stubEnv(TOKEN_DELAY, String(milliseconds));
    },
  };
}

import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { servePageAssets } from '../../src/page/serve-page-assets.js';
import { ChatPage } from './chat-page.js';
import { launch, type Chromium } from './chromium.js';
import { adapterOf, type Platform } from './platforms.js';

/** The size of the pictures in `docs/images`. */
export const FOR_README = { width: 1200, height: 700 };

/** The sample on a platform, and a browser that looks at it; every page must stay without complaints. */
export function useSample(platform: Platform) {
  let app: INestApplication;
  let url: string;
  let browser: Chromium;
  const pages: ChatPage[] = [];

  beforeAll(async () => {
    vi.stubEnv('SAMPLE_TOKEN_DELAY', '5');
    const module = await Test.createTestingModule({
      imports: [AppModule],
    }).compile();
    app = module.createNestApplication(adapterOf(platform), { logger: false });
    servePageAssets(app);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    browser = await launch();
  });

  afterEach(async () => {
    vi.stubEnv('SAMPLE_TOKEN_DELAY', '5');
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
    /** Opens the page in a profile of its own. */
    async open(
      agentId?: string,
      options?: BrowserContextOptions,
    ): Promise<ChatPage> {
      const page = new ChatPage(await browser.newPage(options), platform);
      pages.push(page);
      await page.goto(agentId === undefined ? url : `${url}/#/${agentId}`);
      return page;
    },

    /** Another tab beside a page. */
    async openBeside(page: ChatPage): Promise<ChatPage> {
      const beside = await page.beside();
      pages.push(beside);
      return beside;
    },

    setTokenDelay(milliseconds: number): void {
      vi.stubEnv('SAMPLE_TOKEN_DELAY', String(milliseconds));
    },
  };
}

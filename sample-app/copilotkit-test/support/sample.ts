import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { launch, type Chromium } from '../../browser-test/support/chromium.js';
import {
  adapterOf,
  type Platform,
} from '../../browser-test/support/platforms.js';
import { AppModule } from '../../src/app.module.js';
import { CopilotKitPage } from './copilotkit-page.js';
import { servePage } from './page-server.js';

/** What a page is opened for. */
export interface Opening {
  agent?: string;
  thread?: string;
}

/** Each platform, and each of the two spellings. */
export const SETTINGS = [
  { platform: 'Express', routes: 'several routes' },
  { platform: 'Fastify', routes: 'a single route' },
] as const satisfies { platform: Platform; routes: string }[];

/** The sample on a platform, and a browser with CopilotKit's page; every page must stay without complaints. */
export function useSample({ platform, routes }: (typeof SETTINGS)[number]) {
  let app: INestApplication;
  let server: Awaited<ReturnType<typeof servePage>>;
  let browser: Chromium;
  const pages: CopilotKitPage[] = [];

  beforeAll(async () => {
    vi.stubEnv('SAMPLE_TOKEN_DELAY', '5');
    const module = await Test.createTestingModule({
      imports: [AppModule],
    }).compile();
    app = module.createNestApplication(adapterOf(platform), { logger: false });
    await app.listen(0, '127.0.0.1');
    server = await servePage();
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
    server.close();
    await app.close();
  });

  async function runtimeUrl(): Promise<string> {
    return `${await app.getUrl()}/api/copilotkit`;
  }

  return {
    runtimeUrl,

    /** Opens the page in a profile of its own. */
    async open(opening: Opening = {}): Promise<CopilotKitPage> {
      const { agent, thread } = opening;
      const query = new URLSearchParams({
        runtime: await runtimeUrl(),
        ...(agent !== undefined && { agent }),
        ...(thread !== undefined && { thread }),
        ...(routes === 'a single route' && { single: '' }),
      });
      const page = new CopilotKitPage(await browser.newPage(), opening);
      pages.push(page);
      await page.goto(`${server.url}/?${query.toString()}`);
      return page;
    },

    setTokenDelay(milliseconds: number): void {
      vi.stubEnv('SAMPLE_TOKEN_DELAY', String(milliseconds));
    },
  };
}

import type { BrowserContextOptions } from 'playwright-core';
import { servePageAssets } from '../../src/page/serve-page-assets.js';
import { ChatPage } from './chat-page.js';
import type { Platform } from './platforms.js';
import { useRunningSample } from './running-sample.js';

/** The size of the pictures in `docs/images`. */
export const FOR_README = { width: 1200, height: 700 };

/** The sample on a platform, and a browser that looks at it; every page must stay without complaints. */
export function useSample(platform: Platform) {
  const { url, newTab, watch, setTokenDelay } = useRunningSample<ChatPage>(
    platform,
    servePageAssets,
  );
  return {
    setTokenDelay,

    /** Opens the page in a profile of its own. */
    async open(
      agentId?: string,
      options?: BrowserContextOptions,
    ): Promise<ChatPage> {
      const page = watch(new ChatPage(await newTab(options), platform));
      await page.goto(agentId === undefined ? url() : `${url()}/#/${agentId}`);
      return page;
    },

    /** Another tab beside a page. */
    async openBeside(page: ChatPage): Promise<ChatPage> {
      return watch(await page.beside());
    },
  };
}

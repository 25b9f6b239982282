import { afterAll, beforeAll } from 'vitest';
import type { Platform } from '../../browser-test/support/platforms.js';
import { useRunningSample } from '../../browser-test/support/running-sample.js';
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
  const { url, newTab, watch, setTokenDelay } =
    useRunningSample<CopilotKitPage>(platform);
  let server: Awaited<ReturnType<typeof servePage>>;

  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => void server.close());

  return {
    setTokenDelay,

    /** Opens the page in a profile of its own. */
    async open(opening: Opening = {}): Promise<CopilotKitPage> {
      const { agent, thread } = opening;
      const query = new URLSearchParams({
        runtime: `${url()}/api/copilotkit`,
        ...(agent !== undefined && { agent }),
        ...(thread !== undefined && { thread }),
        ...(routes === 'a single route' && { single: '' }),
      });
      const page = watch(new CopilotKitPage(await newTab(), opening));
      await page.goto(`${server.url}/?${query.toString()}`);
      return page;
    },
  };
}

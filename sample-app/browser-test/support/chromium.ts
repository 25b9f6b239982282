import { existsSync } from 'node:fs';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';

/** Where Debian and others put it. */
const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export interface Chromium {
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** A browser that asks nobody but the sample, and knows nothing from before. */
export async function launch(): Promise<Chromium> {
  const executablePath = PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium: "apt-get install chromium", or name it in CHROMIUM.',
    );
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
      '--no-first-run',
    ],
  });
  return {
    async newPage(options) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      });
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

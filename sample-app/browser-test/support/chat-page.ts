import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url));
const AXE = createRequire(import.meta.url).resolve('axe-core');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** The sample's page, as a user handles it. */
export class ChatPage {
  private readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    private readonly platform: string,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' || text.includes('[ag-ui][enforce]'))
        this.complaints.push(text);
    });
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
    await this.input.waitFor();
  }

  get input(): Locator {
    return this.page.getByLabel('Message', { exact: true });
  }

  get answers(): Locator {
    return this.page.locator('.message.assistant');
  }

  get failure(): Locator {
    return this.page.getByRole('alert');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  card(tool: string): Locator {
    return this.page.getByLabel(`Tool ${tool}`, { exact: true });
  }

  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.button('Send').click();
  }

  /** Says something, and waits until the agent has answered. */
  async ask(text: string): Promise<void> {
    await this.say(text);
    await this.settled();
  }

  /** Chooses another agent, which begins a new thread. */
  async choose(agentId: string): Promise<void> {
    await this.button('New thread').click();
    await this.page.getByLabel('Agent', { exact: true }).selectOption(agentId);
  }

  async attach(file: {
    name: string;
    mimeType: string;
    buffer: Buffer;
  }): Promise<void> {
    const chooser = this.page.waitForEvent('filechooser');
    await this.button('Attach an image or a PDF').click();
    await (await chooser).setFiles(file);
  }

  /** Waits until nothing runs any more. */
  async settled(): Promise<void> {
    await this.page.locator('.message.assistant').first().waitFor();
    await this.button('Send').waitFor();
  }

  async see(text: string | RegExp): Promise<void> {
    const seen = this.page.getByText(text).filter({ visible: true });
    await seen.first().waitFor({ timeout: 15_000 });
  }

  async beside(): Promise<ChatPage> {
    const tab = new ChatPage(
      await this.page.context().newPage(),
      this.platform,
    );
    await tab.goto(this.page.url());
    return tab;
  }

  async shoot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const file = `${this.platform.toLowerCase()}-${name}.png`;
    await this.page.screenshot({
      path: SCREENSHOTS + file,
      animations: 'disabled',
    });
  }

  /** What stands in the way of those who do not see, or have no mouse. */
  async expectAccessible(): Promise<void> {
    await this.page.addScriptTag({ path: AXE });
    const violations = await this.page.evaluate<Violation[]>(
      'axe.run().then(({ violations }) => violations)',
    );
    expect(
      violations.map(({ id, nodes }) => [
        id,
        ...nodes.map((node) => `${node.html}: ${node.failureSummary}`),
      ]),
    ).toEqual([]);
  }

  async expectNoSidewaysScroll(): Promise<void> {
    const [needed, there] = await this.page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, innerWidth]',
    );
    expect(needed).toBeLessThanOrEqual(there);
  }

  /** The browser has complained of something that belongs to the test. */
  expectComplaint(of: string): void {
    expect(this.complaints.splice(0).join()).toContain(of);
  }

  expectNoComplaints(): void {
    expect(this.complaints).toEqual([]);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

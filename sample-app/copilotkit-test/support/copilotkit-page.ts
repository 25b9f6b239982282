import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Opening } from './sample.js';

/** A request to the runtime. */
export interface Asked {
  path: string;
  body: Record<string, unknown>;
}

/** The input of a run. */
export interface Input {
  runId: string;
  messages: Record<string, unknown>[];
}

/** A page with CopilotKit's chat, as a user handles it. */
export class CopilotKitPage {
  readonly asked: Asked[] = [];
  private readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    readonly opening: Opening,
  ) {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith('/api/copilotkit')) return;
      if (request.method() === 'OPTIONS') return;
      const body = (request.postDataJSON() ?? {}) as Asked['body'];
      this.asked.push({ path: pathname, body });
    });
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
    await this.input.waitFor();
  }

  get input(): Locator {
    return this.page.getByTestId('copilot-chat-textarea');
  }

  /** Sends a message, or stops a run. */
  get send(): Locator {
    return this.page.getByTestId('copilot-send-button');
  }

  get answers(): Locator {
    return this.page.getByTestId('copilot-assistant-message');
  }

  get questions(): Locator {
    return this.page.getByTestId('copilot-user-message');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.send.click();
  }

  async see(text: string | RegExp): Promise<void> {
    const seen = this.page.getByText(text).filter({ visible: true });
    await seen.first().waitFor({ timeout: 15_000 });
  }

  /** Waits until the agent has ended what it does. */
  async settled(): Promise<void> {
    await this.send
      .and(this.page.locator('[aria-label="Send"], :disabled'))
      .waitFor();
  }

  /** Waits until the page has its thread back. */
  async connected(): Promise<void> {
    await this.page.waitForLoadState('networkidle');
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.input.waitFor();
  }

  /** What was said, in its order. */
  conversation(): Promise<string[]> {
    return this.questions.or(this.answers).allInnerTexts();
  }

  /** The inputs of the runs that the page has asked for. */
  get runs(): Input[] {
    return this.asked
      .filter(({ path, body }) =>
        /\/run$/.test(
          typeof body['method'] === 'string' ? body['method'] : path,
        ),
      )
      .map(({ body }) => (body['body'] ?? body) as unknown as Input);
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

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { ChromiumMissing, launchChromium } from '../../support/chromium.mjs';

/** Nothing here takes long on an idle machine; this is for a loaded one. */
export const PATIENCE_MS = 45_000;

/** Polls for as long as a loaded machine may need. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS });

export interface TestBrowser {
  /** A page in its own browser context, closed after the test, which fails if the page had an error or a request elsewhere. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** One Chromium for all tests of a file. If it is not installed, each test is skipped and says so. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  let missing: string | undefined;
  beforeAll(async () => {
    try {
      browser = await launchChromium();
    } catch (error) {
      if (!(error instanceof ChromiumMissing)) throw error;
      missing = error.message;
      console.error(`\nNOT TESTED: the page in a browser. ${missing}\n`);
    }
  }, 60_000);
  beforeEach(({ skip }) => {
    if (missing) skip(missing);
  });
  afterAll(() => browser?.close());
  return {
    async open(url, options = {}) {
      if (!browser) throw new Error('The browser is not there yet.');
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS / 2);
      const wrong = watch(page, new URL(url).origin);
      onTestFinished(async () => {
        await context.close();
        expect(wrong).toEqual([]);
      });
      await page.goto(url);
      return page;
    },
  };
}

/** Collects what must not happen: an uncaught error, a violation of the page's policy, a request elsewhere. */
function watch(page: Page, origin: string): string[] {
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) wrong.push(message.text());
  });
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) wrong.push(`request to ${request.url()}`);
  });
  return wrong;
}

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { ChromiumMissing, launchChromium } from '../../support/chromium.ts';

/** Nothing here takes long on a quiet machine; a loaded one gets its time. */
export const PATIENCE_MS = 45_000;

/** Looks again and again, for as long as a loaded machine may need. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: PATIENCE_MS });

export interface TestBrowser {
  /** A page of a browser of its own, closed after the test. It must have had no error, and no help from outside. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** One Chromium for all tests of a file. Where there is none, each of them is skipped and says so. */
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

/** What must not happen: an uncaught error, something that the policy of the page refused, a request elsewhere. */
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

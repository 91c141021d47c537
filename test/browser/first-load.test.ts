import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { ann, type PageHub, pageHub } from './support/page-hub.ts';

const browser = useBrowser();

/** A page that has not loaded anything since the log-in. */
async function loggedIn(hub: PageHub): Promise<Page> {
  const page = await browser.open(await hub.loginLink());
  await page.getByRole('link', { name: 'Inbox' }).first().waitFor();
  await page.goto('about:blank');
  return page;
}

describe('the first look', { timeout: 2 * PATIENCE_MS }, () => {
  test.each(isLong ? [0, 100, 290, 310, 600, 1000, 1500, 2000] : [1000])(
    'INB-2 selects the most urgent question, however late the tasks are read: %d ms',
    async (delay) => {
      const hub = await pageHub();
      const { ledger, project } = hub;
      await ledger.tasks.add({ projectId: project, id: 'first', title: 'First' }, ann);
      await ledger.tasks.add({ projectId: project, id: 'next', title: 'Next', dependsOn: ['first'] }, ann);
      await hub.ask({ sourceId: 'nothing', questions: [{ text: 'Older?' }] });
      await hub.ask({ sourceId: 'first', questions: [{ text: 'Urgent?' }] });
      const page = await loggedIn(hub);
      await page.route(/\/tasks(?:\?|$)/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delay));
        await route.continue();
      });
      await page.goto(hub.url);
      await page.getByRole('heading', { name: 'Urgent?' }).waitFor();
      expect(await page.locator('.list li').first().textContent()).toContain('Urgent?');
    },
  );

  test('Board, Plans and Runs open on the project in which something happened last', async () => {
    const hub = await pageHub();
    const { ledger } = hub;
    for (const name of ['aaa', 'zzz']) await ledger.projects.ensure({ id: `p-${name}`, name, root: null });
    await hub.ask({ questions: [{ text: 'Older?' }] });
    await ledger.tasks.add({ projectId: 'p-zzz', title: 'Newest' }, ann);
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('link', { name: 'Runs' }).click();
    const chosen = page.getByLabel('Project', { exact: true });
    await eventually(() => chosen.inputValue()).toBe('p-zzz');
  });

  test('INB-13 loads at most 60 kB before anything is opened', async () => {
    const hub = await pageHub();
    await hub.ask({ questions: [{ text: 'One?' }] });
    const page = await loggedIn(hub);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    let bytes = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(hub.url);
    await page.getByRole('heading', { name: 'One?' }).waitFor();
    await eventually(() => bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(60_000);
  });
});

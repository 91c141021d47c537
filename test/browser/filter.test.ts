import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { longTest } from '../support/long-test.ts';
import { violations } from './support/axe.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { type PageHub, pageHub } from './support/page-hub.ts';

const browser = useBrowser();

describe("the inbox's filter", { timeout: 2 * PATIENCE_MS }, () => {
  test('with the keyboard: / looks for words, Enter goes to the first, j and k stay inside, Esc ends it', async () => {
    const hub = await pageHub();
    await three(hub);
    const page = await browser.open(await hub.loginLink());
    await heading(page, 'Which database?');
    await page.keyboard.press('/');
    await page.keyboard.type('WEB cache');
    await eventually(() => titles(page)).toEqual(['Drop the cache?']);
    await page.getByText('1 of 3', { exact: true }).waitFor();
    // The open question stays until the person moves on.
    await heading(page, 'Which database?');
    await page.keyboard.press('Enter');
    await heading(page, 'Drop the cache?');
    await page.keyboard.press('j');
    await heading(page, 'Drop the cache?');
    expect(await violations(page)).toEqual([]);
    await eventually(() => page.url()).toMatch(/\?text=WEB\+cache$/);
    // The previous page was filtered, too.
    await page.goBack();
    await heading(page, 'Which database?');
    expect(await titles(page)).toEqual(['Drop the cache?']);
    await page.goForward();
    await heading(page, 'Drop the cache?');
    await page.reload();
    await heading(page, 'Drop the cache?');
    expect(await titles(page)).toEqual(['Drop the cache?']);
    // An answered question stays in its place; the next one matches the filter.
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing else matches the filter.').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await eventually(() => titles(page)).toEqual(['Which database?', 'Drop the cache?', 'Who may edit?']);
    await page.keyboard.press('j');
    await heading(page, 'Which database?');
  });

  longTest(
    'by project and kind, on a phone; an empty result says so, and how to see everything',
    async () => {
      const hub = await pageHub();
      await three(hub);
      const page = await browser.open(await hub.loginLink(), {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      await page.getByLabel('Kind').selectOption('Gap in an issue');
      await eventually(() => titles(page)).toEqual(['Who may edit?']);
      await page.getByRole('link', { name: /Who may edit/ }).tap();
      await heading(page, 'Who may edit?');
      await page.getByRole('link', { name: '‹ Inbox' }).tap();
      await eventually(() => titles(page)).toEqual(['Who may edit?']);
      await page.getByLabel('Project').selectOption('web');
      await page.getByText('Nothing matches the filter.').waitFor();
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.getByRole('button', { name: 'Show everything' }).tap();
      await eventually(() => titles(page)).toHaveLength(3);
    },
  );

  longTest('text typed right after a click stays, even if the click’s event comes later', async () => {
    const hub = await pageHub();
    await three(hub);
    const page = await browser.open(await hub.loginLink());
    await eventually(() => titles(page)).toHaveLength(3);
    await page.evaluate(`{
      document.querySelector('.item:last-child a').click();
      const field = document.querySelector('.filter input');
      field.value = 'cache';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await eventually(() => page.url()).toContain('text=cache');
    expect(await titles(page)).toEqual(['Drop the cache?']);
    await page.goBack();
    await eventually(() => titles(page)).toHaveLength(3);
  });

  longTest('the hub finds questions that the page has not loaded', async () => {
    const hub = await pageHub();
    const row = await hub.ask({ questions: [{ text: 'One of very many?' }] });
    const far = await hub.ask({ sourceId: 'far', questions: [{ text: 'Far <b>behind</b> & last?' }] });
    const page = await browser.open(await hub.loginLink());
    await eventually(() => page.title()).toBe('(2) Fermata');
    // The list of a ledger with too many questions to load; a search goes to the real hub.
    await page.route('**/api/v1/notifications?*', (route) => {
      const { searchParams } = new URL(route.request().url());
      if (searchParams.has('text')) return route.continue();
      const [from, size] = [Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit'))];
      const idOf = (index: number) => (index === 0 ? row.id : `n-${index}`);
      const data = Array.from({ length: size }, (_, index) => ({ ...row, id: idOf(from + index) }));
      return route.fulfill({ json: { data, next: String(from + size) } });
    });
    await page.reload();
    await eventually(() => page.title()).toBe('(5000+) Fermata');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('<b>behind</b> &');
    await page.getByRole('link', { name: /Far <b>behind/ }).click();
    await heading(page, 'Far <b>behind');
    await page.getByText('Searching …').waitFor({ state: 'detached' });
    expect(await titles(page)).toEqual([far.questions[0]?.text]);
    expect(await page.locator('.arrived').count()).toBe(0);
  });
});

async function three(hub: PageHub): Promise<void> {
  const { id: web } = await hub.ledger.projects.ensure({ id: 'p-web', name: 'web', root: `${hub.root}/web` });
  await hub.ask({ questions: [{ text: 'Which database?' }] });
  await hub.ask({
    ...{ projectId: web, sourceId: 'deploy' },
    questions: [{ text: 'Drop the cache?', options: [{ label: 'yes' }, { label: 'no' }] }],
  });
  await hub.ask({ source: 'gap', sourceId: '142', questions: [{ text: 'Who may edit?' }] });
}

const titles = (page: Page): Promise<string[]> => page.locator('.item-text').allTextContents();

async function heading(page: Page, text: string): Promise<void> {
  await page.locator('.detail .question-text').first().filter({ hasText: text }).waitFor();
}

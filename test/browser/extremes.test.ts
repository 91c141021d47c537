import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { testHub } from '../hub/support/hub.ts';
import { freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { violations } from './support/axe.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { ann, coder, pageHub, WEB } from './support/page-hub.ts';

const browser = useBrowser();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('the inbox at its limits', { timeout: 3 * PATIENCE_MS }, () => {
  longTest(
    'more than a thousand questions are loaded in steps, and drawn as they come into view',
    async () => {
      const hub = await pageHub();
      const numbers = Array.from({ length: 1005 }, (_, index) => index + 1);
      await Promise.all(
        numbers.map((number) =>
          hub.ask({ sourceId: `task-${number}`, questions: [{ text: `No. ${number}?` }] }, ann),
        ),
      );
      const page = await browser.open(await hub.loginLink());
      await eventually(() => page.title()).toBe('(1005) Fermata');
      const list = page.getByRole('navigation', { name: 'Waiting for you' });
      expect(await list.getByRole('listitem').count()).toBeLessThan(300);
      expect(await list.locator('.arrived').count()).toBe(0);
      await eventually(async () => {
        await list.getByRole('listitem').last().scrollIntoViewIfNeeded();
        return list.getByRole('listitem').count();
      }).toBe(1005);
    },
  );

  longTest('beyond five thousand questions, the rest is loaded on demand', async () => {
    const hub = await pageHub();
    const row = await hub.ask({ questions: [{ text: 'One of very many?' }] });
    const page = await browser.open(await hub.loginLink());
    await eventually(() => page.title()).toBe('(1) Fermata');
    // As the hub would answer, without a ledger of that size.
    await page.route('**/api/v1/notifications?*', (route) => {
      const { searchParams } = new URL(route.request().url());
      const [from, size] = [Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit'))];
      const to = Math.min(5300, from + size);
      const idOf = (index: number) => (index === 0 ? row.id : `n-${index}`);
      const data = Array.from({ length: to - from }, (_, index) => ({ ...row, id: idOf(from + index) }));
      return route.fulfill({ json: { data, ...(to < 5300 ? { next: String(to) } : {}) } });
    });
    await page.reload();
    await eventually(() => page.title()).toBe('(5000+) Fermata');
    const list = page.getByRole('navigation', { name: 'Waiting for you' });
    const more = list.getByRole('button', { name: 'Load more' });
    // Go to the last one by its id: the list is drawn up to the selected question.
    await page.goto(`${hub.url}/#/inbox/${hub.project}/n-999`);
    await more.click();
    await eventually(() => page.title()).toBe('(5300) Fermata');
    await more.waitFor({ state: 'detached' });
  });

  longTest('right-to-left text is shown as such everywhere', async () => {
    const hub = await pageHub();
    await hub.ask({
      questions: [{ text: 'هل نعرض الأسماء بالعربية؟ 🙂', options: [{ label: 'نعم' }, { label: 'no' }] }],
    });
    const page = await browser.open(await hub.loginLink());
    const direction = (what: string, index = 0) =>
      page.evaluate(`getComputedStyle(document.querySelectorAll('${what}')[${index}]).direction`);
    await page.getByRole('button', { name: 'نعم' }).waitFor();
    expect(await direction('.question-text')).toBe('rtl');
    expect(await direction('.item-text')).toBe('rtl');
    expect(await direction('.option')).toBe('rtl');
    expect(await direction('.option', 1)).toBe('ltr');
    await page.getByLabel('Or in your own words').fill('ربما');
    expect(await direction('.own-words')).toBe('rtl');
  });

  test('on a phone every control is large enough for a finger, in questions, gates and settings', async () => {
    const hub = await pageHub();
    const asked = await hub.ask({
      questions: [
        { text: 'Which?', options: [{ label: 'Alpha' }, { label: 'With …' }] },
        { text: 'Why?', multi: true, options: [{ label: 'a' }] },
      ],
    });
    const gate = await hub.ask({
      source: 'gate',
      sourceId: 'hours/3',
      gate: {
        ...{ kind: 'variants', plan: 'hours', phase: '3', round: 1, file: 'f' },
        material: [{ kind: 'diff', title: 'Diff', variant: 'A', text: '@@ 1\n+a' }],
      },
      questions: ['A', 'B'].map((id) => ({
        id,
        text: id,
        options: [{ label: 'main' }, { label: 'discard' }],
      })),
    });
    const page = await browser.open(await hub.loginLink(), phone);
    await page.getByRole('link', { name: /Which\?/ }).waitFor();
    expect(await tooSmall(page), 'list').toEqual([]);
    for (const place of [asked.id, gate.id].map((id) => `inbox/${hub.project}/${id}`)) {
      await page.goto(`${hub.url}/#/${place}`);
      await page.locator('.question-text').first().waitFor();
      await page.locator('.option, .segments button').last().tap();
      expect(await tooSmall(page), place).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    await page.goto(`${hub.url}/#/settings/${hub.project}`);
    await page.getByRole('group', { name: /Scope changes/ }).waitFor();
    expect(await tooSmall(page)).toEqual([]);
  });

  longTest('while the hub is unreachable a banner says so', async () => {
    const hub = await pageHub();
    await hub.ask({ questions: [{ text: 'First?' }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate('dispatchEvent(new Event("online"))');
    const banner = page.getByText('The hub is not responding.');
    await banner.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Your answer').fill('kept');
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByText('Not sent, because the hub cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Your answer').inputValue()).toBe('kept');
  });

  longTest(
    'after the laptop slept, the page replaces a dead connection and continues from its cursor',
    async () => {
      const hub = await pageHub();
      await hub.ask({ questions: [{ text: 'Before the sleep?' }] });
      const page = await browser.open(await hub.loginLink());
      await page.getByText('Live', { exact: true }).waitFor();
      let asleep = false;
      const lines: string[] = [];
      await page.routeWebSocket(/\/ws/, (socket) => {
        lines.push(socket.url());
        const isDead = lines.length === 1;
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (!(isDead && asleep)) socket.send(message);
        });
      });
      await page.clock.install();
      await page.reload();
      await page.getByText('Live', { exact: true }).waitFor();
      asleep = true;
      await hub.ask({ sourceId: 'task-2', questions: [{ text: 'While it slept?' }] });
      await page.clock.fastForward(3_600_000);
      await page.getByRole('link', { name: /While it slept\?/ }).waitFor();
      await eventually(() => lines.length).toBeGreaterThan(1);
      expect(new URL(lines[1] ?? '').searchParams.get('after')).toMatch(/^p-library:\d+$/);
    },
  );

  longTest('a very long run shows its last lines, and earlier ones on demand (RUN-3)', async () => {
    const hub = await pageHub();
    const { ledger, project: projectId } = hub;
    const input = {
      projectId,
      agent: 'claude',
      source: 'execute' as const,
      sourceId: 't',
      cwd: '',
      data: { for: 'other' as const },
    };
    const run = await ledger.runs.start(input, { worker: 'w', leaseSeconds: 600 }, coder);
    const steps = Array.from({ length: 1200 }, (_, index) => ({
      kind: 'text' as const,
      text: `line ${index + 1}`,
    }));
    for (let at = 0; at < steps.length; at += 100)
      await ledger.runs.report(run, steps.slice(at, at + 100), coder);
    const page = await browser.open(await hub.loginLink());
    await page.goto(`${hub.url}/#/run/${projectId}/${run.id}`);
    await page.getByText('line 1200', { exact: true }).waitFor();
    // The log starts at its end, and stays where a person scrolls up to.
    const log = page.getByRole('list', { name: 'Run log' });
    const fromEnd = () =>
      log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    await eventually(fromEnd).toBeLessThan(2);
    await log.evaluate((list) => list.scrollTo(0, 0));
    await eventually(fromEnd).toBeGreaterThan(1000);
    await ledger.runs.report(run, [{ kind: 'text', text: 'line 1201' }], coder);
    await page.getByText('line 1201', { exact: true }).waitFor({ state: 'attached' });
    expect(await fromEnd()).toBeGreaterThan(1000);
    expect(await page.getByText('line 500', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show 500 earlier lines' }).click();
    await page.getByText('line 500', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show 202 earlier lines' }).waitFor();
  });

  longTest('long lists of runs and decisions load earlier ones on demand', async () => {
    const hub = await pageHub();
    const { ledger, project: projectId } = hub;
    const input = {
      projectId,
      agent: 'claude',
      source: 'plan' as const,
      cwd: '',
      data: { for: 'other' as const },
    };
    for (let n = 1; n <= 101; n++)
      await ledger.runs.start({ ...input, sourceId: `Plan ${n}` }, { worker: 'w', leaseSeconds: 600 }, coder);
    const ann = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };
    for (let n = 1; n <= 21; n++) {
      const { id } = await hub.ask({ sourceId: `t${n}`, questions: [{ id: 'q', text: `**No.** ${n}?` }] });
      const responses = [{ questionId: 'q', answer: 'yes', ...(n === 1 ? { standing: true as const } : {}) }];
      await ledger.notifications.resolve(projectId, id, { responses }, ann);
    }
    const page = await browser.open(await hub.loginLink());
    await page.goto(`${hub.url}/#/runs/${projectId}`);
    await page.getByText('Plan 101', { exact: true }).waitFor();
    expect(await page.locator('.rows > li').count()).toBe(100);
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await eventually(() => page.locator('.rows > li').count()).toBe(101);
    await page.goto(`${hub.url}/#/settings/${projectId}`);
    await page.getByText('No. 21?', { exact: true }).waitFor();
    expect(await page.getByText('No. 1?', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await page.getByRole('button', { name: 'Ask me again' }).click();
    await page.getByRole('button', { name: 'Ask me again' }).waitFor({ state: 'detached' });
  });

  longTest(
    'with very many tasks, the board shows the open ones, a graph of those nearby, and a link to the rest',
    async () => {
      const hub = await pageHub();
      const { ledger, project: projectId } = hub;
      const inputs = Array.from({ length: 1350 }, (_, index) => ({
        ...{ projectId, id: `t/${index + 1}`, title: `Step ${index + 1}` },
        dependsOn: index < 1200 ? [] : [`t/${index}`],
      }));
      const closed = new Set(inputs.slice(0, 1200).map(({ id }) => id));
      await ledger.tasks.ensure({ projectId: projectId, plan: 'plans/p' }, inputs, closed, ann);
      const page = await browser.open(await hub.loginLink());
      await page.goto(`${hub.url}/#/board/${projectId}`);
      const column = (name: string) => page.getByRole('region', { name });
      await column('Ready').getByText('Step 1201', { exact: true }).waitFor();
      const counts = () => page.locator('.column .count').allTextContents();
      expect(await counts()).toEqual(['0', '0', '1', '149', '1000+']);
      await page.getByText('Showing 120 of 150 tasks').waitFor();
      expect(await page.locator('.graph .node').count()).toBe(120);
      await column('Later').getByRole('button', { name: 'Show 60 of 89 more' }).click();
      await column('Later').getByText('Step 1300', { exact: true }).waitFor();
      // Only the one that changed is read again.
      const lists: string[] = [];
      page.on('request', (request) => {
        if (/\/tasks\?/.test(request.url())) lists.push(request.url());
      });
      await ledger.tasks.end(projectId, 't/1201', ann);
      await column('Ready').getByText('Step 1202', { exact: true }).waitFor();
      expect(lists).toEqual([]);
      await page.getByRole('button', { name: 'Load more' }).click();
      await eventually(counts).toEqual(['0', '0', '1', '148', '1201']);
      await column('Ready').getByRole('link', { name: 'Step 1202' }).click();
      const around = page.getByRole('region', { name: 'What this task depends on, and what depends on it' });
      await around.getByText('Step 1204', { exact: true }).waitFor();
      expect(await around.locator('.node').count()).toBe(5);
      expect(await around.locator('[aria-current]').textContent()).toContain('Step 1202');
    },
  );

  test('without a project, every page says how to create one', async () => {
    const ledger = await openLedger(join(freshFolder(), 'ledger.db'));
    onTestFinished(() => ledger.close());
    const hub = await testHub(ledger, { web: WEB });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    for (const place of ['board', 'plans', 'runs']) {
      await page.goto(`${hub.url}/#/${place}`);
      await page.getByRole('heading', { name: 'No project yet' }).waitFor();
    }
    await page.getByRole('link', { name: 'settings', exact: true }).click();
    await page.getByLabel('Add a folder').waitFor();
  });
});

/** Buttons, fields and links of their own (not in the middle of a sentence) that are lower than 44 px. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('button, summary, select, textarea, input[type="text"], label:has(input), .item a, .back, .pages a')]
    .filter((element) => element.checkVisibility() && !element.matches('.skip-link'))
    .map((element) => [element.getBoundingClientRect().height, element.outerHTML.slice(0, 120)])
    .filter(([height]) => height < 43.5)
    .map(([height, html]) => height + ' ' + html)`);
}

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { testHub } from '../hub/support/hub.ts';
import { fermata, freshFolder, type Running, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { ann, pageHub, WEB } from './support/page-hub.ts';

const browser = useBrowser();

describe('the page and the program', { timeout: 2 * PATIENCE_MS }, () => {
  test('a question of `fermata ask` appears without reload; the answer given there reaches the asker, and can be changed (HUB-1, HUB-2, BIND-5)', async () => {
    const at = place();
    const hub = await serve(at);
    const page = await browser.open(hub.link);
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    // In a folder that nobody has told the hub about.
    const elsewhere = { ...at, cwd: freshFolder('elsewhere') };
    const question = ['Which database?', '-o', 'PostgreSQL', '-o', 'SQLite', '--key', 'database'];
    const asker = ask(elsewhere, ...question);
    await page.getByRole('button', { name: 'SQLite' }).click();
    await eventually(() => page.title()).toBe('(1) Fermata');
    await page.getByRole('button', { name: /Send now/ }).click();
    expect(await asker.ended).toMatchObject({ code: 0, stdout: 'SQLite\n' });
    await page.getByText('Delivered to the asker.').waitFor();
    expect(await page.locator('.given').textContent()).toBe('SQLite');
    expect(await page.locator('.given-by').textContent()).toContain('tester on this page');
    await eventually(() => page.title()).toBe('Fermata');

    // The page says what follows from a change, and keeps the old answer.
    await page.getByRole('button', { name: 'Change the answer' }).click();
    const field = page.getByLabel('New answer to “Which database?”');
    expect(await field.inputValue()).toBe('SQLite');
    expect(await page.getByRole('button', { name: 'Replace the answer' }).isDisabled()).toBe(true);
    await field.fill('PostgreSQL');
    await page.getByRole('button', { name: 'Replace the answer' }).click();
    await page.getByText('The new answer applies the next time').waitFor();
    expect(await page.locator('.given').textContent()).toBe('PostgreSQL');
    expect(await page.locator('.receipt s').textContent()).toBe('SQLite');
    await page.getByText('The asker has the old answer and gets this one when it next checks.').waitFor();
    const again = ask(elsewhere, ...question);
    expect(await again.ended).toMatchObject({ code: 0, stdout: 'PostgreSQL\n' });
    await page.getByText('Delivered to the asker.').waitFor();
  });

  test('a log-in link works once, in one browser; after that the page says so (HUB-3)', async () => {
    const hub = await pageHub();
    const link = await hub.loginLink();
    const first = await browser.open(link);
    await first.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    expect(first.url()).not.toContain('login');
    const second = await browser.open(link);
    await second.getByRole('alert').filter({ hasText: 'This login link was already used' }).waitFor();
    await second.getByLabel(/paste the link/).fill(hub.token);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await first.reload();
    await first.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    const third = await browser.open(`${hub.url}/`);
    await third.getByLabel(/paste the link/).waitFor();
    expect(await third.getByRole('alert').count()).toBe(0);
    // In the tab in which the page is open already.
    await third.goto(await hub.loginLink());
    await third.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
  });

  longTest('of two browsers the first answer wins; the other one shows whose it was (LED-4)', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [{ text: 'Which?', options: [{ label: 'Alpha' }, { label: 'Beta' }] }],
    });
    const [left, right] = await Promise.all([
      browser.open(await hub.loginLink()),
      browser.open(await hub.loginLink()),
    ]);
    const first = promise();
    // The right browser gets no news from the left one, as after a sleep.
    await right.getByRole('button', { name: 'Beta' }).waitFor();
    await right.routeWebSocket(/.*/, () => undefined);
    await right.route(`**/notifications/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await first.promise;
      await route.continue();
    });
    await right.getByRole('button', { name: 'Beta' }).click();
    await right.keyboard.press('Enter');
    await left.getByRole('button', { name: 'Alpha' }).click();
    await left.keyboard.press('Enter');
    await left.getByText('Alpha', { exact: true }).and(left.locator('.given')).waitFor();
    first.resolve();
    const refusal = right.getByRole('alert').filter({ hasText: 'Your answer was not accepted' });
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain('was already settled by ann');
    expect(await right.locator('.given').textContent()).toBe('Alpha');
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { answer: 'Alpha' },
    ]);
  });

  test('the page reconnects to a restarted hub, and shows what was asked in between (LED-11)', async () => {
    const hub = await pageHub();
    const before = [{ id: 'q', text: 'Before?', options: [{ label: 'yes' }, { label: 'no' }] }];
    const first = await hub.ask({ questions: before });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'yes' }).waitFor();
    await hub.stop();
    await page.getByText('Reconnecting …').waitFor();
    // Answered elsewhere and asked again while the page is cut off.
    const responses = [{ questionId: 'q', answer: 'no' }];
    await hub.ledger.notifications.resolve(hub.project, first.id, { responses }, ann);
    const second = await hub.ask({
      sourceId: 'task-2',
      questions: [{ text: 'In between?', options: [{ label: 'left' }, { label: 'right' }] }],
    });
    await testHub(hub.ledger, { web: WEB, home: hub.home, port: Number(new URL(hub.url).port) });
    await answerAfterReconnecting(page);
    await page.locator('.given').filter({ hasText: 'right' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, second.id)).responses).toMatchObject([
      { answer: 'right' },
    ]);
  });

  longTest(
    'the page reconnects to a hub that was killed, and an answer given there reaches the asker (LED-11)',
    async () => {
      const at = place();
      const hub = await serve(at);
      const page = await browser.open(hub.link);
      const first = ask(at, 'Before?', '-o', 'yes', '-o', 'no');
      await page.getByRole('button', { name: 'yes' }).waitFor();
      hub.running.child.kill('SIGKILL');
      await hub.running.ended;
      await page.getByText('Reconnecting …').waitFor();
      // Answered elsewhere and asked again while the page is cut off.
      expect((await fermata(['answer', await first.asked, 'no'], at)).code).toBe(0);
      const second = ask(at, 'In between?', '-o', 'left', '-o', 'right');
      await second.asked;
      await serve(at, hub.port);
      await answerAfterReconnecting(page);
      expect(await second.ended).toMatchObject({ code: 0, stdout: 'right\n' });
    },
  );
});

interface Place {
  cwd: string;
  env: { FERMATA_HOME: string };
}

function place(): Place {
  const cwd = freshFolder();
  return { cwd, env: { FERMATA_HOME: join(cwd, '..', 'home') } };
}

async function serve(at: Place, port = '0'): Promise<{ link: string; port: string; running: Running }> {
  const running = startFermata(['serve', '--port', port], { ...at, limitMs: 2 * PATIENCE_MS });
  const shown = await running.shows(/^Log in .*: \S+\n/m);
  const link = /^Log in .*: (\S+)/m.exec(shown)?.[1] ?? '';
  return { link, port: new URL(link).port, running };
}

/** Starts `ask`; `asked` resolves to the id of its question, once that is stored. */
function ask(at: Place, ...args: string[]) {
  const running = startFermata(['ask', ...args], { ...at, limitMs: 2 * PATIENCE_MS });
  running.child.stdin?.end();
  const asked = new Promise<string>((resolve) => {
    running.child.stderr?.on('data', (text: string) => {
      const id = /Waiting for an answer to (n-\w+)/.exec(text)?.[1];
      if (id) resolve(id);
    });
  });
  return { ...running, asked };
}

/** Resolved from outside. */
function promise(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const made = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise: made, resolve };
}

/** Once it is back, the page shows what was answered meanwhile, and takes the answer to what was asked. */
async function answerAfterReconnecting(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
  await page.locator('.given').filter({ hasText: 'no' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('button', { name: 'right' }).waitFor();
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
}

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { longTest } from '../support/long-test.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { ann, coder, pageHub } from './support/page-hub.ts';

const browser = useBrowser();

const HOSTILE = `<img src=x onerror="alert(1)"><script>alert(2)</script> [x](javascript:alert(3)) **bold** \`code\``;

/** A browser with notifications, whose page is in the background. */
const BACKGROUND = `
  window.told = [];
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { window.told.push('asked for permission'); return 'granted'; }
    constructor(title, { body }) { this.body = body; window.told.push(title + ': ' + body); }
    close() { window.told.push('closed: ' + this.body); }
  };
`;

describe('the inbox', { timeout: 2 * PATIENCE_MS }, () => {
  test('with the keyboard alone: every question, several picks, own words, skip, back and forth', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [
        { id: 'one', text: 'Who?', options: [{ label: 'Everybody' }, { label: 'Some' }] },
        {
          id: 'many',
          text: 'How?',
          multi: true,
          options: [{ label: 'Mail' }, { label: 'SMS' }, { label: 'Letter' }],
        },
        { id: 'free', text: 'When?' },
      ],
    });
    const other = await hub.ask({ sourceId: 'task-2', questions: [{ text: 'Next?' }] });
    const page = await browser.open(await hub.loginLink());
    await heading(page, 'Who?');
    await page.keyboard.press('j');
    await heading(page, 'Next?');
    await page.keyboard.press('k');
    await heading(page, 'Who?');
    // A click leaves the focus on the option; Enter then moves on and does not unselect it.
    await page.getByRole('button', { name: 'Some' }).click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('1');
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Letter', pressed: true }).waitFor();
    await page.getByRole('button', { name: /Send 2 of 3, leave the rest open/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('tomorrow');
    await page.keyboard.press('Control+Enter');
    await page.getByText('tomorrow', { exact: true }).and(page.locator('.given')).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { questionId: 'one', answer: 'Some', by: { actor: { kind: 'person', name: 'ann' }, channel: 'web' } },
      { questionId: 'many', answer: ['Mail', 'Letter'] },
      { questionId: 'free', answer: 'tomorrow' },
    ]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await heading(page, 'Next?');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing else is waiting for you.').waitFor();
    const both = await hub.ask({
      questions: [
        { id: 'a', text: 'This?', options: [{ label: 'yes' }] },
        { id: 'b', text: 'And that?', options: [{ label: 'yes' }] },
      ],
    });
    await page.getByRole('link', { name: /This\?/ }).waitFor();
    await page.keyboard.press('j');
    await heading(page, 'This?');
    await page.keyboard.press('s');
    await page.getByText('Skipped: the asker decides.').waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.locator('.given').filter({ hasText: 'the asker decides' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, both.id)).responses).toMatchObject([
      { questionId: 'a', kind: 'skipped' },
      { questionId: 'b', answer: 'yes' },
    ]);
    expect((await hub.ledger.notifications.get(hub.project, other.id)).status).toBe('skipped');
  });

  test('one key answers, and Esc takes it back for a moment', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [{ text: 'Which?', options: [{ label: 'Alpha' }, { label: 'Beta' }] }],
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'Alpha' }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('Sending Alpha').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Sending Alpha').waitFor({ state: 'detached' });
    await page.clock.install();
    await page.keyboard.press('2');
    await page.getByText('Sending Beta').waitFor();
    await page.clock.runFor(3000);
    await page.locator('.given').filter({ hasText: 'Beta' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { answer: 'Beta' },
    ]);
  });

  longTest('a wrong token is reported as a wrong token, and a used link as a used link', async () => {
    const hub = await pageHub();
    const link = await hub.loginLink();
    const page = await browser.open(hub.url);
    const signIn = async (text: string) => {
      await page.getByLabel(/Or paste the link/).fill(text);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn('not-the-token-of-this-hub');
    await page.getByText('The token is unknown to this hub').waitFor();
    await signIn(`${hub.url}/#login=used-before`);
    await page.getByText('This login link was already used or has expired.').waitFor();
    await signIn(link.split('#login=')[1] ?? '');
    await page.getByText('Nothing is waiting for you').waitFor();
  });

  longTest('an option and then Skip within the moment: only the skip is stored', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [{ text: 'Which?', options: [{ label: 'Alpha' }, { label: 'Beta' }] }],
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'Alpha' }).click();
    await page.getByText('Sending Alpha').waitFor();
    await page.keyboard.press('s');
    await page.getByText('Sending Skip: the asker decides').waitFor();
    await page.getByRole('button', { name: 'Alpha', pressed: false }).waitFor();
    await page.locator('.given').filter({ hasText: 'the asker decides' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { kind: 'skipped', by: { channel: 'web' } },
    ]);
  });

  test('the agent’s proposal for silence is shown, and one key accepts it (BIND-9)', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [
        { id: 'q', text: 'Deploy?', options: [{ id: 'y', label: 'Yes' }, { label: 'No' }], recommended: 'y' },
      ],
      policy: { kind: 'default', after: 4 * 3600, answers: { q: 'Yes' } },
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByText('The agent proposes: if nobody answers within 4 h, use Yes.').waitFor();
    await page.getByRole('button', { name: 'Yes recommended' }).waitFor();
    await page.getByText('If nobody answers, the question stays open.').waitFor();
    await page.keyboard.press('p');
    await page.getByText(/If nobody answers within .*, the answer will be Yes/).waitFor();
    await page.locator('.proposal').waitFor({ state: 'detached' });
    expect(await hub.ledger.notifications.get(hub.project, id)).toMatchObject({
      status: 'open',
      policy: { kind: 'default', answers: { q: 'Yes' } },
      deadlineAt: expect.any(String),
    });
  });

  test('markup and scripts in texts stay text, wherever they come from (HUB-3)', async () => {
    const hub = await pageHub();
    await hub.ledger.tasks.add(
      { projectId: hub.project, id: 'task-1', title: HOSTILE, body: HOSTILE },
      coder,
    );
    await hub.ask({
      questions: [
        {
          text: HOSTILE,
          header: HOSTILE,
          context: HOSTILE,
          options: [{ label: HOSTILE, description: HOSTILE, preview: HOSTILE }, { label: 'no' }],
        },
      ],
    });
    const page = await browser.open(await hub.loginLink());
    await page.locator('.question-text').filter({ hasText: '<img src=x onerror="alert(1)">' }).waitFor();
    expect(await page.locator('.question-text strong').textContent()).toBe('bold');
    expect(await page.locator('#app img, #app script, #app a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('button', { name: /<img/ }).first().click();
    await page.keyboard.press('Enter');
    await page.locator('.given').filter({ hasText: '<script>alert(2)</script>' }).waitFor();
    await page.goto(`${hub.url}/#/task/${hub.project}/task-1`);
    await page.getByRole('heading', { name: /<img/ }).waitFor();
    expect(await page.locator('#app img, #app script').count()).toBe(0);
  });

  test('on a phone the question covers the list, everything is reachable, nothing scrolls sideways', async () => {
    const hub = await pageHub();
    const long = 'a_very_long_word_without_a_break_'.repeat(8);
    await hub.ask({
      questions: [{ text: `Which ${long}?`, options: [{ label: long, preview: long }, { label: 'short' }] }],
    });
    const page = await browser.open(await hub.loginLink(), {
      viewport: { width: 375, height: 667 },
      hasTouch: true,
      isMobile: true,
    });
    await page.getByRole('link', { name: /Which a_very/ }).tap();
    await page.getByRole('button', { name: 'short' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Waiting for you' }).isVisible()).toBe(false);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    // Also in landscape.
    await page.setViewportSize({ width: 844, height: 390 });
    expect(await page.getByRole('navigation', { name: 'Waiting for you' }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 375, height: 667 });
    await page.getByRole('link', { name: /Inbox/ }).first().tap();
    await page.getByRole('link', { name: /Which a_very/ }).tap();
    await page.getByRole('button', { name: 'short' }).tap();
    await page.getByRole('button', { name: /Send now/ }).tap();
    await page.locator('.given').filter({ hasText: 'short' }).waitFor();
  });

  test('typed text survives a reload; a new question does not replace the one being read', async () => {
    const hub = await pageHub();
    await hub.ask({ questions: [{ text: 'First?' }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByLabel('Your answer').fill('half a thou');
    const urgent = {
      sourceId: 'task-2',
      questions: [{ id: 'q', text: 'Urgent?', options: [{ label: 'yes' }, { label: 'no' }] }],
      policy: { kind: 'default' as const, after: 60, answers: { q: 'no' } },
    };
    const { id } = await hub.ask(urgent, ann);
    await page.getByRole('link', { name: /Urgent\?.*auto-answered in/ }).waitFor();
    expect(await page.locator('.item').first().textContent()).toContain('Urgent?');
    expect(await page.getByLabel('Your answer').inputValue()).toBe('half a thou');
    await page.reload();
    await page.getByLabel('Your answer').waitFor();
    expect(await page.getByLabel('Your answer').inputValue()).toBe('half a thou');
    await hub.ledger.notifications.withdraw(hub.project, id, 'The task was cancelled.', ann);
    await page.getByRole('link', { name: /Urgent\?/ }).waitFor({ state: 'detached' });
  });

  test('in the background the browser announces new questions, once a click has asked for permission', async () => {
    const hub = await pageHub();
    const page = await browser.open(await hub.loginLink());
    // A reload during the login would lose it, because the link works only once.
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await page.addInitScript(BACKGROUND);
    await page.reload();
    const told = () => page.evaluate<string[]>('window.told');
    await hub.ask({ questions: [{ text: 'Before?' }] });
    await eventually(() => page.title()).toBe('(1) Fermata');
    expect(await told()).toEqual([]);
    await page.goto(`${hub.url}/#/settings`);
    await page.getByRole('button', { name: 'Notify me of new questions' }).click();
    await page.getByText('You are notified of new questions').waitFor();
    const { id } = await hub.ask({ sourceId: 'task-2', questions: [{ text: 'After **that**?' }] });
    await eventually(told).toEqual(['asked for permission', 'library: After that?']);
    await hub.ledger.notifications.withdraw(hub.project, id, 'Not needed.', coder);
    await eventually(told).toContain('closed: After that?');
  });

  longTest('a page that was offline shows what was asked and answered meanwhile', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({ questions: [{ id: 'q', text: 'Early?', options: [{ label: 'yes' }] }] });
    const page = await browser.open(await hub.loginLink());
    await heading(page, 'Early?');
    await page.context().setOffline(true);
    const by = { actor: { kind: 'person' as const, name: 'bob' }, channel: 'command' as const };
    const responses = [{ questionId: 'q', answer: 'yes' }];
    await hub.ledger.notifications.resolve(hub.project, id, { responses }, by);
    await hub.ask({ sourceId: 'task-2', questions: [{ text: 'Late?' }] });
    await page.context().setOffline(false);
    await page.getByRole('link', { name: /Late\?/ }).waitFor();
    await page.locator('.given-by').filter({ hasText: 'bob with fermata answer' }).waitFor();
  });

  longTest('a link to something missing says so, and shows nothing else instead', async () => {
    const hub = await pageHub();
    await hub.ask({ questions: [{ text: 'Another one?' }] });
    const page = await browser.open(await hub.loginLink());
    await heading(page, 'Another one?');
    await page.goto(`${hub.url}/#/inbox/${hub.project}/n-gone`);
    await page.reload();
    await page.getByRole('heading', { name: 'Cannot show this question' }).waitFor();
    await page.getByText('There is no question n-gone.').waitFor();
    await page.getByRole('link', { name: 'Back to the inbox' }).click();
    await heading(page, 'Another one?');
    await page.goto(`${hub.url}/#/board/p-gone`);
    await page.getByRole('heading', { name: 'Project not found' }).waitFor();
  });

  test('a variants gate wants exactly one main, and sends the rest with it (VAR-1, GATE-1)', async () => {
    const hub = await pageHub();
    const decide = [{ label: 'main' }, { label: 'alternative' }, { label: 'discard' }];
    const { id } = await hub.ask({
      source: 'gate',
      sourceId: 'hours/3',
      gate: {
        kind: 'variants',
        plan: 'hours',
        phase: '3',
        round: 1,
        file: 'gates/3.yaml',
        material: ['A', 'B'].flatMap((variant) => [
          { kind: 'diff' as const, title: 'Diff', variant, text: `--- a\n+++ b\n+variant ${variant}` },
          { kind: 'gates' as const, title: 'Gates', variant, text: 'tests passed' },
          { kind: 'walkthrough' as const, title: 'Walkthrough', variant, text: 'Open **it**' },
        ]),
      },
      questions: [
        { id: 'A', text: 'Table', options: decide },
        { id: 'B', text: 'Sentence', options: decide },
        { id: 'thoughts', text: 'Thoughts' },
        { id: 'reason', text: 'Why?' },
      ],
    });
    const page = await browser.open(await hub.loginLink());
    const [a, b] = ['A', 'B'].map((letter) => page.getByRole('region', { name: `Variant ${letter}` }));
    await a?.getByText('+variant A').waitFor();
    await b?.getByText('+variant B').waitFor();
    const send = page.getByRole('button', { name: /^Send/ });
    await a?.getByRole('button', { name: 'main' }).click();
    await b?.getByRole('button', { name: 'main' }).click();
    await page.getByText('Only one variant can be main, not A and B.').waitFor();
    expect(await send.isDisabled()).toBe(true);
    await b?.getByRole('button', { name: 'alternative' }).click();
    await page.getByRole('button', { name: 'Add a comment' }).click();
    await page.getByLabel('Why?').fill('It reads better.');
    await send.click();
    await page.locator('.given').filter({ hasText: 'It reads better.' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { questionId: 'A', answer: 'main' },
      { questionId: 'B', answer: 'alternative' },
      { questionId: 'reason', answer: 'It reads better.' },
      { questionId: 'thoughts', kind: 'skipped' },
    ]);
  });
});

async function heading(page: Page, text: string): Promise<void> {
  await page.locator('.detail .question-text').first().filter({ hasText: text }).waitFor();
}

import { describe, expect, test } from 'vitest';
import { longTest } from '../support/long-test.ts';
import { violations } from './support/axe.ts';
import { PATIENCE_MS, useBrowser } from './support/browser.ts';
import { ann, coder, pageHub } from './support/page-hub.ts';

const browser = useBrowser();

describe('answering', { timeout: 2 * PATIENCE_MS }, () => {
  test('an option with a blank asks for what belongs there, with a key as with a click', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [
        {
          id: 'how',
          text: 'How does it fail?',
          options: [{ label: 'Only sometimes' }, { label: 'Every time, with these steps: …' }],
        },
      ],
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'Every time' }).waitFor();
    await page.keyboard.press('2');
    const blank = page.getByLabel('Fill in the blank');
    await blank.waitFor();
    await page.getByRole('button', { name: /^Send/ }).and(page.locator(':disabled')).waitFor();
    await page.waitForFunction('document.activeElement?.matches("textarea")');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type('search for ö');
    await page.keyboard.press('Control+Enter');
    await page.locator('.given').filter({ hasText: 'Every time, with these steps: search for ö' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { answer: 'Every time, with these steps: search for ö' },
    ]);
  });

  longTest('starting a note cancels auto-send, and the note goes with the answer', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      questions: [{ text: 'Which?', options: [{ label: 'Alpha' }, { label: 'Beta' }] }],
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'Alpha' }).waitFor();
    await page.keyboard.press('1');
    await page.getByText('Sending Alpha').waitFor();
    await page.keyboard.press('n');
    await page.getByText('Sending Alpha').waitFor({ state: 'detached' });
    await page.waitForFunction('document.activeElement?.matches(".note")');
    await page.keyboard.type('as before');
    await page.keyboard.press('Control+Enter');
    await page.locator('.given-note').filter({ hasText: 'as before' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { answer: 'Alpha', note: 'as before' },
    ]);
  });

  test('LED-12 e gives the earlier decision to the same question of another task', async () => {
    const hub = await pageHub();
    const first = await hub.ask({ questions: [{ text: 'From which total on?' }] });
    const { notifications } = hub.ledger;
    await notifications.resolve(
      hub.project,
      first.id,
      { responses: [{ questionId: 'q1', answer: '100' }] },
      ann,
    );
    const again = await hub.ask({ sourceId: 'task-2', questions: [{ text: 'From which total on?' }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByText('Decided before: 100').waitFor();
    await page.keyboard.press('e');
    await page.getByText('Sending 100').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.given').filter({ hasText: '100' }).waitFor();
    expect((await notifications.get(hub.project, again.id)).responses).toMatchObject([{ answer: '100' }]);
  });

  test('a standing answer answers the same question automatically, until it is revoked (LED-12)', async () => {
    const hub = await pageHub();
    const questions = [{ text: 'Which framework?', options: [{ label: 'vitest' }, { label: 'jest' }] }];
    await hub.ask({ questions });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'vitest' }).waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Always answer this way').and(page.locator(':checked')).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByText('Fermata will give this answer to the same question').waitFor();
    const again = await hub.ask({ sourceId: 'task-2', questions });
    expect(again).toMatchObject({ status: 'answered', responses: [{ answer: 'vitest' }] });
    await page.getByRole('link', { name: 'Change that in the settings' }).click();
    await page.getByRole('button', { name: /Ask me again/ }).click();
    await page.getByRole('button', { name: /Ask me again/ }).waitFor({ state: 'detached' });
    expect((await hub.ask({ sourceId: 'task-3', questions })).status).toBe('open');
  });

  test('a question that was withdrawn while somebody answered it says so, and why', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({ questions: [{ text: 'Still?', options: [{ label: 'yes' }] }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'yes' }).waitFor();
    await page.route(`**/notifications/${id}`, async (route) => {
      if (route.request().method() === 'PATCH')
        await hub.ledger.notifications.withdraw(hub.project, id, 'The task was cancelled.', coder);
      await route.continue();
    });
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Your answer was not accepted' }).waitFor();
    await page
      .getByText(/Withdrawn/i)
      .and(page.locator('.outcome'))
      .waitFor();
    expect(await page.locator('.receipt-end').textContent()).toContain('The task was cancelled.');
  });

  test('an expired login says so; after signing in again you are at the same place, with what you wrote', async () => {
    const hub = await pageHub();
    await hub.ask({ questions: [{ text: 'First?' }] });
    await hub.ask({ sourceId: 'task-2', questions: [{ text: 'Second?' }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('link', { name: /Second\?/ }).click();
    await page.getByLabel('Your answer').fill('half a thou');
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByRole('alert').filter({ hasText: 'Your session has expired' }).waitFor();
    await page.getByLabel(/paste the link/).fill(hub.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.detail .question-text').filter({ hasText: 'Second?' }).waitFor();
    expect(await page.getByLabel('Your answer').inputValue()).toBe('half a thou');
  });

  test('a reason dismisses with Enter; Enter never sends the answer instead', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({ questions: [{ text: 'Really?', options: [{ label: 'yes' }] }] });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('button', { name: 'yes' }).waitFor();
    await page.keyboard.press('x');
    await page.waitForFunction('document.activeElement?.matches("input")');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Not ours.');
    await page.keyboard.press('Enter');
    await page.locator('.given').filter({ hasText: 'Dismissed: Not ours.' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).outcome).toBe('declined');
  });

  longTest('the reason field takes the focus once, not whenever something else changes', async () => {
    const hub = await pageHub();
    const { id, questions } = await hub.ask({
      questions: [{ text: 'Which port?' }, { text: 'Which host?' }],
    });
    const page = await browser.open(await hub.loginLink());
    await page.locator('textarea').last().waitFor();
    await page.keyboard.press('x');
    await page.waitForFunction('document.activeElement?.matches("input")');
    await page.locator('textarea').last().focus();
    await hub.call('PATCH', `/projects/${hub.project}/notifications/${id}`, {
      responses: [{ questionId: questions[0]?.id, answer: '80' }],
    });
    await page.locator('.part-settled').waitFor();
    expect(await page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA');
  });
});

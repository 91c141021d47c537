import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  approvalQuestions,
  loggingQuestions,
  testingQuestions,
  variantQuestions,
} from '../../src/work/gates/gate-questions.ts';
import { longTest } from '../support/long-test.ts';
import { violations } from './support/axe.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { pageHub } from './support/page-hub.ts';

const browser = useBrowser();
const place = { plan: 'hours', phase: '3', round: 1, file: 'gates/3.yaml' };
const diff = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-old\n+new';

describe('human gates on the page', { timeout: 2 * PATIENCE_MS }, () => {
  test('testing: one key passes it; for changes, the page asks what to change, with logs (GATE-1)', async () => {
    const hub = await pageHub();
    const ask = (round: number) =>
      hub.ask({
        source: 'gate',
        sourceId: 'hours/3',
        gate: {
          kind: 'testing',
          ...place,
          round,
          material: [{ kind: 'diff', title: 'Changes', text: diff }],
        },
        questions: testingQuestions('phase 3 (Hours)'),
      });
    const first = await ask(1);
    const page = await browser.open(await hub.loginLink());
    await page.locator('.diff-file').filter({ hasText: 'a.ts' }).getByText('+new').waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.locator('.given').filter({ hasText: 'passed' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, first.id)).responses).toHaveLength(4);
    const second = await ask(2);
    await page.getByRole('button', { name: /Next question/ }).click();
    await page.getByRole('button', { name: 'changes' }).waitFor();
    await page.keyboard.press('2');
    await page.waitForFunction('document.activeElement?.matches("textarea")');
    await page.getByText('Say what needs to change.').waitFor();
    await page.getByRole('button', { name: /^Send/ }).and(page.locator(':disabled')).waitFor();
    await page.keyboard.type('Sundays are missing.');
    await page.getByLabel('Logs or output').fill('Error: no Sunday');
    await page.keyboard.press('Control+Enter');
    await page.locator('.given').filter({ hasText: 'Sundays are missing.' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, second.id)).responses).toMatchObject([
      { questionId: 'passed', answer: 'changes' },
      { questionId: 'refinements', answer: 'Sundays are missing.' },
      { questionId: 'logs', answer: 'Error: no Sunday' },
      { questionId: 'thoughts', kind: 'skipped' },
    ]);
  });

  test('findings: each approach is shown with its text and is fine, changed or rejected (GATE-1)', async () => {
    const hub = await pageHub();
    const approaches = ['A', 'B'].map((variant) => ({
      agent: 'frontend',
      number: 1,
      variant,
      description: `Way ${variant}`,
    }));
    const { id } = await hub.ask({
      source: 'gate',
      sourceId: 'hours/findings',
      gate: {
        kind: 'findings',
        ...place,
        material: approaches.map(({ variant, description }) => ({
          kind: 'text' as const,
          title: `frontend_1_${variant}`,
          text: `${description}: with a **table**`,
        })),
      },
      questions: approvalQuestions('findings', 'hours', approaches as never),
    });
    const page = await browser.open(await hub.loginLink());
    const [a, b] = ['A', 'B'].map((letter) => page.getByRole('region', { name: `frontend_1_${letter}` }));
    await a?.getByText('Way A: with a').waitFor();
    await a?.getByRole('button', { name: 'Change' }).click();
    await a?.getByLabel('What needs to change in this approach?').fill('Use the one that is there.');
    for (const verdict of ['Accept', 'Change', 'Reject'])
      expect(await b?.getByRole('button', { name: verdict, pressed: true }).count()).toBe(0);
    await b?.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Choose approved or changes.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'changes', exact: false }).first().click();
    await page.keyboard.press('Control+Enter');
    await page.locator('.given').filter({ hasText: 'Use the one that is there.' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { questionId: 'approved', answer: 'changes' },
      { questionId: 'frontend_1_A', answer: 'Use the one that is there.' },
      { questionId: 'frontend_1_B', answer: 'reject' },
      { questionId: 'thoughts', kind: 'skipped' },
      { questionId: 'changes', kind: 'skipped' },
    ]);
  });

  longTest('logging: the subject is shown largest, and logs can be pasted (GATE-1)', async () => {
    const hub = await pageHub();
    const { id } = await hub.ask({
      source: 'gate',
      sourceId: 'hours/4',
      gate: { kind: 'logging', ...place },
      questions: loggingQuestions('the fix in phase 4 (Flicker)'),
    });
    const page = await browser.open(await hub.loginLink());
    await page.getByRole('heading', { name: /Run the fix in phase 4 .*extra logging/ }).waitFor();
    await page.getByLabel('What did it log?').fill('tick 1\ntick 2');
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.locator('.given').filter({ hasText: 'tick 2' }).waitFor();
    expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
      { questionId: 'logs', answer: 'tick 1\ntick 2' },
      { questionId: 'thoughts', kind: 'skipped' },
    ]);
  });

  longTest(
    'if variants do not fit next to each other, the one that the keys apply to is visible (VAR-1)',
    async () => {
      const hub = await pageHub();
      const { id } = await hub.ask({
        source: 'gate',
        sourceId: 'hours/3',
        gate: { kind: 'variants', ...place },
        questions: variantQuestions('phase 3 (Hours)', ['A', 'B', 'C'], false),
      });
      const page = await browser.open(await hub.loginLink(), { viewport: { width: 900, height: 700 } });
      const last = page.getByRole('region', { name: 'Variant C' }).getByRole('button', { name: 'discard' });
      await last.waitFor();
      expect(await isInSight(last)).toBe(false);
      await page.keyboard.press('2');
      await page.keyboard.press('1');
      await eventually(() => isInSight(last)).toBe(true);
      await page.keyboard.press('3');
      await page.keyboard.press('Enter');
      await page.locator('.given').first().waitFor();
      expect((await hub.ledger.notifications.get(hub.project, id)).responses).toMatchObject([
        { questionId: 'A', answer: 'alternative' },
        { questionId: 'B', answer: 'main' },
        { questionId: 'C', answer: 'discard' },
        { kind: 'skipped' },
        { kind: 'skipped' },
      ]);
    },
  );
});

/** Wholly inside the window, sideways. */
async function isInSight(what: Locator): Promise<boolean> {
  const box = await what.boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= 900;
}

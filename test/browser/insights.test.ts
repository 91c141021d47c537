import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { eventually, PATIENCE_MS, useBrowser } from './support/browser.ts';
import { ann, pageHub } from './support/page-hub.ts';

const browser = useBrowser();

test('ATT-11 the page draws what questions cost, and a proposal is taken with one key', {
  timeout: 3 * PATIENCE_MS,
}, async () => {
  const hub = await pageHub();
  await hub.ledger.projects.setHilConfig(hub.project, 'confirm_all', ann);
  for (let n = 0; n < 10; n++) {
    const { id } = await hub.ask({
      sourceId: `task-${n}`,
      questions: [{ id: 'q1', text: `Which library for ${n}?`, recommended: 'none', category: 'dependency' }],
    });
    await hub.ledger.notifications.resolve(
      hub.project,
      id,
      { responses: [{ questionId: 'q1', answer: 'none' }] },
      ann,
    );
  }
  await hub.ask({ source: 'gate', questions: [{ text: 'Is it right?' }] });
  const page = await browser.open(await hub.loginLink());
  await page.goto(`${hub.url}/#/settings/${hub.project}`);
  await page.getByRole('link', { name: 'What questions cost in library' }).click();
  await page.getByText('10 of 10 (100 %)').waitFor();
  const plot = page.getByRole('img', { name: /^Questions per week: .* 10 question, 1 gate/ });
  expect(await plot.locator('rect.part-0').getAttribute('height')).toMatch(/^7\d/);
  await page.getByRole('row', { name: 'coder question 10' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  const proposal = page.getByRole('region', { name: 'Proposal' });
  await proposal.getByRole('button').press('Enter');
  await proposal.waitFor({ state: 'detached' });
  await eventually(
    async () => (await hub.ledger.projects.hilConfig(hub.project)).dependencyModifications,
  ).toBe('notify_and_proceed');
});

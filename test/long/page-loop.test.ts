import { join } from 'node:path';
import { expect, test } from 'vitest';
import { violations } from '../browser/support/axe.ts';
import { PATIENCE_MS, useBrowser } from '../browser/support/browser.ts';
import { WEB } from '../browser/support/page-hub.ts';
import { taskPlace } from '../cli/support/task-place.ts';
import { testHub } from '../hub/support/hub.ts';
import { environment } from '../support/fermata.ts';

const browser = useBrowser();

const say = (value: object) => ({ do: 'say' as const, text: JSON.stringify(value) });

test(
  'TEAM-4 feedback typed on the page becomes a question, a task, work, an approval and a merge, without a terminal',
  async () => {
    const asks = {
      open_questions: [{ id: 'word', text: 'Which word?', options: [{ label: 'Moin' }, { label: 'Ahoy' }] }],
    };
    const tasks = {
      category: 'scope',
      summary: 'Greet',
      tasks: [{ title: 'Greet in Frisian', body: 'Write Moin.' }],
    };
    const place = taskPlace({
      counts: 'all',
      invocations: [
        { steps: [say(asks)] },
        { steps: [say(tasks)] },
        {
          steps: [
            { do: 'write', path: 'greeting.txt', content: 'Moin\n' },
            say({ status: 'success', summary: 'It greets.' }),
          ],
        },
      ],
    });
    const ledger = join(place.cwd, '..', 'ledger.db');
    const hub = await testHub(
      { place: ledger },
      { web: WEB, plans: { store: ledger, env: environment(place.at.env) } },
    );
    const { id } = (await hub.call('POST', '/projects', { root: place.cwd })).body.data;
    const page = await browser.open(await hub.loginLink());
    await page.goto(`${hub.url}/#/board/${id}`);
    await page.getByLabel('What could be better?').fill('It should greet people.');
    await page.getByLabel('Agent').first().selectOption('scripted');
    await page.getByRole('button', { name: 'Send feedback' }).click();

    // The project's configuration is trusted first.
    await page.getByText('Not trusted yet').waitFor();
    await answer('Approve');
    await page.getByRole('button', { name: 'Evaluate' }).click();

    await page.getByText('The Analyst has a question for you').waitFor();
    await answer('Moin');
    await page.goto(`${hub.url}/#/board/${id}`);
    await page.getByRole('region', { name: 'Ready' }).getByRole('link', { name: 'Greet in Frisian' }).click();
    await page.getByRole('button', { name: 'Work on this task' }).click();
    await page.getByText('Waiting for you: answer below').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('region', { name: 'Open questions' }).getByText('+Moin').waitFor();
    await page
      .getByRole('region', { name: 'Open questions' })
      .getByRole('button', { name: /^Approve/ })
      .click();
    await page.getByText('Done: merged or closed').waitFor();
    expect(place.git('show', 'main:greeting.txt')).toBe('Moin');

    /** Answers the one question in the inbox with this option. */
    async function answer(option: string) {
      const board = page.url();
      await page.goto(`${hub.url}/#/inbox`);
      const button = page.getByRole('button', { name: new RegExp(`^${option}`) }).first();
      await button.click();
      // The next question may be there before the inbox was ever empty.
      await button.waitFor({ state: 'hidden' });
      await page.goto(board);
    }
  },
  4 * PATIENCE_MS,
);

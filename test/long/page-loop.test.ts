import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { violations } from '../browser/support/axe.ts';
import { PATIENCE_MS, useBrowser } from '../browser/support/browser.ts';
import { WEB } from '../browser/support/page-hub.ts';
import { taskPlace } from '../cli/support/task-place.ts';
import { type TestHub, testHub } from '../hub/support/hub.ts';
import { environment, freshFolder, startFermata } from '../support/fermata.ts';
import { sh } from '../work/support/repository.ts';

const browser = useBrowser();

test(
  'TEAM-4 feedback typed on the page becomes a question, a task, work, an approval and a merge, without a terminal',
  async () => {
    const place = greetingPlace();
    const store = join(place.cwd, '../ledger.db');
    const hub = await testHub(
      { place: store },
      { web: WEB, plans: { store, env: environment(place.at.env) } },
    );
    const { id } = (await hub.call('POST', '/projects', { root: place.cwd })).body.data;
    const page = await browser.open(await hub.loginLink());
    await sendFeedback(page, hub, id);

    // The project's configuration is trusted first.
    await page.getByText('Not trusted yet').waitFor();
    await answer(page, hub, id, 'Approve');
    await page.getByRole('button', { name: 'Evaluate' }).click();

    await page.getByText('The Analyst has a question for you').waitFor();
    await answer(page, hub, id, 'Moin');
    await startTask(page);
    expect(await violations(page)).toEqual([]);
    await approveTask(page);
    expect(place.git('show', 'main:greeting.txt')).toBe('Moin');
  },
  4 * PATIENCE_MS,
);

test(
  'TEAM-2 TEAM-4 without a folder on the hub, feedback typed on the page goes through a worker to a merge in the remote',
  async () => {
    const place = greetingPlace();
    const remote = join(place.cwd, '../remote/shop.git');
    place.git('clone', '--quiet', '--bare', place.cwd, remote);
    const { store, hub } = await hubWithoutFolder(join(place.cwd, '../ledger.db'));
    const page = await browser.open(await hub.loginLink());
    await sendFeedback(page, hub, 'shop');

    // The hub knows the project only by its name.
    await page.getByText('Name the branch').waitFor();
    await page.getByLabel('Git remote').fill(remote);
    await page.getByLabel('Branch').fill('main');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await page.getByText('Queued: waits for a worker with scripted.').waitFor();

    const env = { ...place.at.env, FERMATA_HOME: join(place.cwd, '../worker'), FERMATA_STORE: store };
    const worker = startFermata(['worker', '--can', 'scripted'], { env });
    await answer(page, hub, 'shop', 'Approve'); // the project's configuration
    await page.getByText('The Analyst has a question for you').waitFor();
    await answer(page, hub, 'shop', 'Moin');
    await startTask(page);
    await approveTask(page);
    expect(sh(remote, 'show', 'main:greeting.txt')).toBe('Moin');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
  },
  4 * PATIENCE_MS,
);

test(
  'TEAM-4 without a folder on the hub, a plan that only the repository has is opened by its name and left to workers',
  async () => {
    const { hub } = await hubWithoutFolder(join(freshFolder(), 'ledger.db'));
    const page = await browser.open(await hub.loginLink());
    await page.goto(`${hub.url}/#/plans/shop`);
    await page.getByLabel('Open a plan that is not listed').fill('login');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Nobody has run this plan yet.').waitFor();
    await page.getByLabel('Git remote').fill('https://example.com/shop.git');
    await page.getByLabel('Branch').fill('login');
    await page.getByLabel('Agent').selectOption('scripted');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run this plan' }).click();
    await page.getByText('Queued: waits for a worker with scripted.').waitFor();
  },
  PATIENCE_MS,
);

/** A repository, and an agent that first asks for a word, then makes a task of the answer, then does the task. */
function greetingPlace() {
  const say = (value: object) => ({ do: 'say' as const, text: JSON.stringify(value) });
  const asks = {
    open_questions: [{ id: 'word', text: 'Which word?', options: [{ label: 'Moin' }, { label: 'Ahoy' }] }],
  };
  const tasks = {
    category: 'scope',
    summary: 'Greet',
    tasks: [{ title: 'Greet in Frisian', body: 'Write Moin.' }],
  };
  const write = { do: 'write' as const, path: 'greeting.txt', content: 'Moin\n' };
  return taskPlace({
    counts: 'all',
    invocations: [
      { steps: [say(asks)] },
      { steps: [say(tasks)] },
      { steps: [write, say({ status: 'success', summary: 'It greets.' })] },
    ],
  });
}

/** A hub whose project "shop" has no folder. */
async function hubWithoutFolder(store: string): Promise<{ store: string; hub: TestHub }> {
  const ledger = await openLedger(store);
  await ledger.projects.ensure({ id: 'shop', name: 'shop', root: null });
  await ledger.close();
  return {
    store,
    hub: await testHub({ place: store }, { web: WEB, plans: { store, env: environment() } }),
  };
}

async function sendFeedback(page: Page, hub: TestHub, project: string): Promise<void> {
  await page.goto(`${hub.url}/#/board/${project}`);
  await page.getByLabel('What could be better?').fill('It should greet people.');
  await page.getByLabel('Agent').first().selectOption('scripted');
  await page.getByRole('button', { name: 'Send feedback' }).click();
}

async function startTask(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Ready' }).getByRole('link', { name: 'Greet in Frisian' }).click();
  await page.getByRole('button', { name: 'Work on this task' }).click();
  await page.getByText('Waiting for you: answer below').waitFor();
}

async function approveTask(page: Page): Promise<void> {
  const questions = page.getByRole('region', { name: 'Open questions' });
  await questions.getByText('+Moin').waitFor();
  await questions.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Done: merged or closed').waitFor();
}

/** Waits for the one question in the inbox, answers it with this option, and returns to the board. */
async function answer(page: Page, hub: TestHub, project: string, option: string): Promise<void> {
  await page.goto(`${hub.url}/#/inbox`);
  const button = page.getByRole('button', { name: new RegExp(`^${option}`) }).first();
  await button.click();
  // The next question may be there before the inbox was ever empty.
  await button.waitFor({ state: 'hidden' });
  await page.goto(`${hub.url}/#/board/${project}`);
}

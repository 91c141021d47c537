import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Notification } from '../../src/schema/notification.ts';
import { ScenarioBuilder } from '../../src/testing.ts';
import { fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { rolePlace, says } from './support/role-place.ts';

const PRD = '# Shop\n\n## Goals\n\nSell.\n\n## Users\n\nPeople.\n';
const CONTENT = JSON.stringify({ content: 'Sell offline, too.', summary: 'It works offline.' });
const QUESTION = JSON.stringify({ open_questions: [{ id: 'q', text: 'For how long offline?' }] });

function place(scenario: ScenarioBuilder) {
  const at = rolePlace(scenario);
  const path = join(at.cwd, 'PRD.md');
  writeFileSync(path, PRD);
  return { ...at, prd: () => readFileSync(path, 'utf8') };
}

type Place = ReturnType<typeof place>;

const update = (at: Place, ...args: string[]) =>
  fermata(['prd', 'update', ...args, '--agent', 'scripted'], at);

describe('CLI-prd', () => {
  test('CLI-EXIT-0 the Dreamer changes one section, and the difference is shown', async () => {
    const at = place(says(`Done:\n${CONTENT}`));
    const { code, stdout, stderr } = await update(at, 'goals', 'It must', 'work offline');
    expect([code, stdout]).toEqual([0, ' \n ## Goals\n \n-Sell.\n+Sell offline, too.\n \n ## Users\n \n…\n']);
    expect(stderr).toContain('It works offline.');
    expect(at.prd()).toBe(PRD.replace('Sell.', 'Sell offline, too.'));
    const [turn] = at.handle.invocations();
    expect(turn?.prompt).toMatch(/Section: goals[\s\S]*It must work offline[\s\S]*Sell\./);
    expect(turn?.prompt).toContain('Confirm all changes before proceeding');
  });

  test('LED-9 CLI-EXIT-3 questions stop it: nothing is changed until they are answered', async () => {
    const at = place(says(QUESTION, CONTENT));
    const first = await update(at, 'Goals', 'offline');
    expect(first.code).toBe(3);
    expect(at.prd()).toBe(PRD);
    const { notifications } = JSON.parse((await fermata(['inbox', '--json'], at)).stdout) as {
      notifications: Notification[];
    };
    expect(notifications).toMatchObject([{ source: 'prd', sourceId: 'goals' }]);
    await fermata(['answer', notifications[0]?.id ?? '', 'A day'], at);
    const second = await update(at, '--resume', '--json');
    expect([second.code, JSON.parse(second.stdout)]).toMatchObject([
      0,
      { section: 'Goals', summary: 'It works offline.', task: expect.stringMatching(/^d-/) },
    ]);
    expect(at.prd()).toContain('Sell offline, too.');
    expect(at.handle.invocations()[1]?.prompt).toContain('A: A day');
    expect((await update(at, '--resume')).code, 'there is nothing left to go on with').toBe(1);
  });

  longTest('LED-9 does not overwrite what a person wrote meanwhile: the agent sees it', async () => {
    const at = place(
      new ScenarioBuilder()
        .editsFile('PRD.md', 'Sell.', 'Rent.')
        .respondsWithText(CONTENT)
        .nextInvocation()
        .respondsWithText('{"content":"Rent offline."}'),
    );
    const { code } = await update(at, 'goals', 'offline');
    expect(code).toBe(0);
    expect(at.handle.invocations()[1]?.prompt).toMatch(/Rent\.[\s\S]*was changed while you worked on it/);
    expect(at.prd()).toContain('Rent offline.');
  });

  test('a missing section is added, even without a PRD.md', async () => {
    const at = place(says(CONTENT));
    writeFileSync(join(at.cwd, 'PRD.md'), '');
    expect((await update(at, 'Data model', 'tables')).code).toBe(0);
    expect(at.prd()).toBe('# Product Requirements\n\n## Data model\n\nSell offline, too.\n');
    expect(existsSync(join(at.cwd, 'PRD.md.tmp'))).toBe(false);
  });

  test('show prints the whole file, or one section', async () => {
    const at = place(says(CONTENT));
    expect((await fermata(['prd'], at)).stdout).toBe(PRD);
    expect((await fermata(['prd', 'show', 'users'], at)).stdout).toBe('## Users\n\nPeople.\n');
    const { stdout } = await fermata(['prd', 'show', 'Goals', '--json'], at);
    expect(JSON.parse(stdout).sections).toEqual([{ key: 'goals', title: 'Goals', content: 'Sell.' }]);
  });

  test.each([
    [['update'], 2, /Pass the section/],
    [['update', 'goals'], 2, /Pass the section/],
    [['update', 'goals', 'x', '--resume'], 2, /Leave out the section and the text/],
    [['update', '--resume'], 1, /nothing to resume/],
    [['show', 'gaols'], 1, /no section "gaols"\. Did you mean "Goals"/],
  ])('CLI-EXIT-2 %s', async (args, code, message) => {
    const result = await fermata(['prd', ...args], place(says(CONTENT)));
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(message);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/index.ts';
import { fermata } from '../support/fermata.ts';
import { CTRL_C, inTerminal } from '../support/pty.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-demo-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const other = {
  project: 'garden',
  tasks: [
    {
      title: 'Plant',
      question: { text: 'Which tree?', options: [{ label: 'Apple' }, { label: 'Pear' }] },
      answer: 'Pear',
    },
    { title: 'Water' },
    { title: 'Fence', question: { text: 'How high?' }, answer: 'Two metres, please' },
  ],
};

test('CLI-demo headless plays whatever scenario it is given: rows, events and files say so', async () => {
  const dir = folder();
  const file = join(dir, 'scenario.json');
  writeFileSync(file, JSON.stringify(other));
  const result = await fermata(['demo', '--headless', '--scenario', file, '--folder', dir]);
  expect(result.stderr).toBe('');
  expect(result.code).toBe(0);
  expect(result.stdout).toContain('Two metres, please');
  const ledger = await openLedger(join(dir, 'home', 'ledger.db'));
  try {
    const [project] = await ledger.projects.list();
    const projectId = project?.id ?? '';
    expect(project?.name).toBe('garden');
    const { notifications } = await ledger.notifications.list({ status: ['delivered'] });
    const pairs = notifications.map((n) => [n.questions[0]?.text, n.responses[0]]);
    expect(pairs).toHaveLength(2);
    expect(pairs).toEqual(
      expect.arrayContaining([
        [
          'Which tree?',
          expect.objectContaining({ answer: 'Pear', by: expect.objectContaining({ channel: 'command' }) }),
        ],
        ['How high?', expect.objectContaining({ answer: 'Two metres, please' })],
      ]),
    );
    expect((await ledger.tasks.list(projectId)).map((t) => [t.title, t.status])).toEqual(
      other.tasks.map((t) => [t.title, 'closed']),
    );
    const types = (await ledger.events.list(projectId)).map((e) => e.type);
    expect(types.filter((t) => t === 'notification.added')).toHaveLength(2);
    expect(types.filter((t) => t === 'notification.resolved')).toHaveLength(2);
    expect(readFileSync(join(dir, 'project', 't1.txt'), 'utf8')).toBe('Which tree?\nPear\n');
  } finally {
    await ledger.close();
  }
});

test('CLI-demo in a terminal asks the person and goes on with what they say', async () => {
  const terminal = inTerminal(['demo']);
  await terminal.shows(/opening hours on the start page: done, nothing to ask/);
  await terminal.shows(/1 of 2[\s\S]*› /);
  terminal.type('my own idea\r');
  await terminal.shows(/2 of 2[\s\S]*› /);
  terminal.type('2\r');
  await terminal.shows(/goes on with "(my own idea|PostgreSQL|Password)", done/);
  await terminal.shows(/on record[\s\S]*my own idea \(tester, terminal/);
  expect(await terminal.ended).toBe(0);
});

test('CLI-demo ends on Ctrl-C without leaving agents behind', async () => {
  const terminal = inTerminal(['demo']);
  await terminal.shows(/1 of 2[\s\S]*› /);
  terminal.type(CTRL_C);
  expect(await terminal.ended).toBe(130);
});

test('CLI-demo without a terminal says so instead of hanging', async () => {
  const result = await fermata(['demo']);
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('--headless');
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../src/index.ts';
import type { Decision } from '../../src/schema/decision.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { CTRL_C, CTRL_D, inTerminal, type Terminal } from '../support/pty.ts';

/** A project with its own ledger. */
function place() {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, '..', 'home') };
  const ledger = () => openLedger(join(env.FERMATA_HOME, 'ledger.db'));
  const inbox = async (): Promise<Notification[]> =>
    JSON.parse((await fermata(['inbox', '--all', '--json'], { cwd, env })).stdout).notifications;
  const decisions = async (): Promise<Decision[]> =>
    JSON.parse((await fermata(['decisions', '--project', 'p', '--json'], { cwd, env })).stdout).decisions;
  return { cwd, env, ledger, inbox, decisions };
}

/** Stores a notification with several questions, as an agent would. */
async function asked(
  at: ReturnType<typeof place>,
  questions: unknown[],
  sourceId = 'x',
): Promise<Notification> {
  const ledger = await at.ledger();
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const by = { actor: { kind: 'agent' as const, name: 'a' }, channel: 'agent' as const };
  const { notification } = await ledger.notifications.create(
    { projectId: 'p', source: 'plan', sourceId, questions },
    by,
  );
  await ledger.close();
  return notification;
}

async function stored(at: ReturnType<typeof place>, id: string): Promise<Notification> {
  const ledger = await at.ledger();
  try {
    return await ledger.notifications.find(id);
  } finally {
    await ledger.close();
  }
}

describe('CHAN-1 CLI-ask in a terminal', () => {
  test('shows question, context, numbered options and the recommended one; the number picked is printed', async () => {
    const terminal = inTerminal(
      [
        'ask',
        'Which database?',
        '-o',
        'PostgreSQL: a server',
        '-o',
        'SQLite',
        '--recommend',
        'SQLite',
        '--context',
        'No database yet.',
      ],
      place(),
    );
    await terminal.shows(/Which database\?/);
    await terminal.shows(/No database yet\./);
    await terminal.shows(/1\) PostgreSQL – a server/);
    await terminal.shows(/2\) SQLite \(recommended\)/);
    await terminal.shows(/› /);
    terminal.type('1\r');
    await terminal.shows(/PostgreSQL\n/);
    expect(await terminal.ended).toBe(0);
  });

  test('Enter takes the recommended one, an unclear line is asked again', async () => {
    const terminal = inTerminal(['ask', 'Which?', '-o', 'A', '-o', 'B', '--recommend', 'B'], place());
    await terminal.shows(/› /);
    terminal.type('9\r');
    await terminal.shows(/no option 9/);
    terminal.type('\r');
    await terminal.shows(/\nB\n/);
    expect(await terminal.ended).toBe(0);
  });

  test('an option with a blank is completed in a second line', async () => {
    const at = place();
    const terminal = inTerminal(['ask', 'Where?', '-o', 'Only here …', '-o', 'Everywhere'], at);
    await terminal.shows(/› /);
    terminal.type('1\r');
    await terminal.shows(/Only here …\s+Complete it: /);
    terminal.type('Firefox\r');
    await terminal.shows(/\nOnly here Firefox\n/);
    expect(await terminal.ended).toBe(0);
  });

  test('CLI-EXIT-2 the command line needs it written out', async () => {
    const at = place();
    const { id } = await asked(at, [{ text: 'Where?', options: ['Only here: …', 'Everywhere'] }]);
    const { code, stderr } = await fermata(['answer', id, '1'], at);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has a blank: write the answer out')]);
    expect((await fermata(['answer', id, 'Only here: Firefox'], at)).code).toBe(0);
  });

  test('CLI-EXIT-2 an empty value is no answer, whatever is recommended', async () => {
    const at = place();
    const { id } = await asked(at, [{ text: 'Which?', options: ['A', 'B'], recommended: 'A' }]);
    for (const value of ['', '  ']) {
      const { code, stderr } = await fermata(['answer', id, value], at);
      expect([code, stderr]).toEqual([2, expect.stringContaining('An empty value is no answer')]);
    }
    expect(await at.inbox()).toMatchObject([{ id, responses: [] }]);
  });

  test('what was decided before is told apart from what the asker recommends', async () => {
    const at = place();
    const question = [{ text: 'Which?', options: ['A', 'B'], recommended: 'A' }];
    const { id } = await asked(at, question);
    await fermata(['answer', id, 'B'], at);
    await asked(at, question);
    const terminal = inTerminal(['answer'], at);
    await terminal.shows(/2\) B \(decided before\)[\s\S]*Enter takes what was decided before\n› /);
    terminal.type('\r');
    await terminal.shows(/Stored: n-\w+ B/);
  });

  test('an asker that says much, or breaks lines, does not take over the list', async () => {
    const at = place();
    await asked(at, [{ text: `Which?\n${'x'.repeat(5000)}`, options: ['A\nn-fake  execute t', 'B'] }]);
    const { stdout } = await fermata(['inbox'], at);
    expect(stdout).toMatch(/^n-.*\n {2}Which\?\n {2}x+ …\n {2}1\) A n-fake execute t {2}2\) B\n$/);
    expect(stdout.length).toBeLessThan(1200);
  });

  test('what is pasted is one answer, however many lines it has, and is sent by Enter', async () => {
    const at = place();
    await asked(at, [{ text: 'What did it log?' }], 'x');
    await asked(at, [{ text: 'Deploy?' }], 'y');
    const terminal = inTerminal(['answer'], at);
    await terminal.shows(/What did it log\?[\s\S]*› /);
    terminal.type('\u001b[200~one\rtwo\r\u001b[201~');
    terminal.type('\r');
    await terminal.shows(/Deploy\?[\s\S]*› /);
    terminal.type('no\r');
    expect(await terminal.ended).toBe(0);
    expect((await at.decisions()).map(({ answer }) => answer).sort()).toEqual(['no', 'one\ntwo']);
  });

  test('CHAN-2 what was typed for a question that is settled elsewhere is not left for the next one', async () => {
    const at = place();
    const { id } = await asked(at, [{ text: 'Which?' }], 'x');
    await asked(at, [{ text: 'Deploy?' }], 'y');
    const terminal = inTerminal(['answer'], at);
    await terminal.shows(/Which\?[\s\S]*› /);
    terminal.type('drop everything');
    await terminal.shows(/drop everything/);
    await fermata(['answer', id, 'SQLite'], at);
    await terminal.shows(/Settled elsewhere[\s\S]*Deploy\?[\s\S]*› /);
    terminal.type('no\r');
    expect(await terminal.ended).toBe(0);
    expect((await at.decisions()).map(({ answer }) => answer).sort()).toEqual(['SQLite', 'no']);
  });

  test('CLI-EXIT-130 Ctrl-C ends with 130 and leaves the question open', async () => {
    const at = place();
    const terminal = inTerminal(['ask', 'Still there?'], at);
    await terminal.shows(/› /);
    terminal.type(CTRL_C);
    await terminal.shows(/stays open/);
    expect(await terminal.ended).toBe(130);
    expect(await at.inbox()).toMatchObject([{ status: 'open', responses: [] }]);
  });

  test('CHAN-2 an answer from another process ends the prompt and is printed', async () => {
    const at = place();
    const terminal = inTerminal(['ask', 'Which colour?'], at);
    await terminal.shows(/› /);
    terminal.type('half a th');
    const [open] = await at.inbox();
    expect((await fermata(['answer', open?.id ?? '', 'blue'], at)).code).toBe(0);
    await terminal.shows(/Settled elsewhere: tester \(command\): blue/);
    await terminal.shows(/\nblue\n/);
    expect(await terminal.ended).toBe(0);
  });
});

describe('CHAN-1 CLI-answer in a terminal', () => {
  const three = ['First?', { text: 'Second?', options: ['x', 'y'], multi: true }, 'Third?'];

  test('goes through all questions, lets an answer be changed in the review, and sends them at once', async () => {
    const at = place();
    const notification = await asked(at, three);
    const terminal = inTerminal(['answer', '--all'], at);
    await terminal.shows(/1 of 3[\s\S]*First\?[\s\S]*› /);
    terminal.type('one\r');
    await terminal.shows(/Second\?[\s\S]*› /);
    terminal.type('1,2\r');
    await terminal.shows(/Third\?[\s\S]*› /);
    terminal.type('skip\r');
    await terminal.shows(
      /Your answers[\s\S]*First\? → one[\s\S]*Second\? → x, y[\s\S]*Third\? → \(skipped\)[\s\S]*› /,
    );
    expect((await stored(at, notification.id)).responses).toEqual([]);
    terminal.type('1\r');
    await terminal.shows(/First\?[\s\S]*› /);
    terminal.type('uno\r');
    await terminal.shows(/First\? → uno[\s\S]*› /);
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    const now = await stored(at, notification.id);
    expect(now).toMatchObject({
      status: 'answered',
      resolvedBy: { actor: { name: 'tester' }, channel: 'terminal' },
    });
    expect(now.responses).toMatchObject([{ answer: 'uno' }, { answer: ['x', 'y'] }, { kind: 'skipped' }]);
  });

  test.each([
    ['Ctrl-C', CTRL_C],
    ['the end of input', CTRL_D],
  ])('%s leaves everything answered so far stored, and the rest open', async (_, key) => {
    const at = place();
    const notification = await asked(at, three);
    const terminal = inTerminal(['answer', notification.id], at);
    await terminal.shows(/First\?[\s\S]*› /);
    terminal.type('one\r');
    await terminal.shows(/Second\?[\s\S]*› /);
    terminal.type(key);
    await terminal.shows(/answered so far is stored/);
    expect(await terminal.ended).toBe(130);
    const now = await stored(at, notification.id);
    expect(now).toMatchObject({ status: 'open', responses: [{ questionId: 'q1', answer: 'one' }] });
  });

  test.each([
    ['that sends SIGHUP', ({ pid }: Terminal) => process.kill(pid, 'SIGHUP')],
    ['whose window is closed', (terminal: Terminal) => terminal.hangUp()],
  ])('a terminal %s loses nothing either', async (_, leave) => {
    const at = place();
    const notification = await asked(at, three);
    const terminal = inTerminal(['answer', notification.id], at);
    await terminal.shows(/First\?[\s\S]*› /);
    terminal.type('one\r');
    await terminal.shows(/Second\?[\s\S]*› /);
    leave(terminal);
    await terminal.ended;
    expect((await stored(at, notification.id)).responses).toMatchObject([{ answer: 'one' }]);
  });

  test('lines typed ahead are taken in order', async () => {
    const at = place();
    const notification = await asked(at, ['First?', 'Second?']);
    const terminal = inTerminal(['answer', notification.id], at);
    await terminal.shows(/› /);
    terminal.type('one\rtwo\r\r');
    expect(await terminal.ended).toBe(0);
    expect((await stored(at, notification.id)).responses).toMatchObject([
      { answer: 'one' },
      { answer: 'two' },
    ]);
  });

  test('what an agent wrote cannot steer the terminal', async () => {
    const at = place();
    const notification = await asked(at, [
      { text: '\x1b[2JEvil\x1b]0;owned\x07?', options: ['\x1b[31mred'] },
    ]);
    const terminal = inTerminal(['answer', notification.id], at);
    await terminal.shows(/Evil\?[\s\S]*1\) red/);
    terminal.type('1\r');
    expect(await terminal.ended).toBe(0);
  });
});

describe('CHAN-1 without a terminal', () => {
  test('answer prints no prompt, and says on stderr what to do', async () => {
    const at = place();
    const notification = await asked(at, ['First?']);
    const result = await fermata(['answer', notification.id], at);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(`fermata answer ${notification.id} VALUE`);
  });

  test('CLI-EXIT-3 ask says how to answer, waits, and after --timeout exits with 3 and an open question', async () => {
    const at = place();
    const result = await fermata(['ask', 'Anybody?', '--timeout', '0.3'], at);
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toMatch(/fermata answer n-\w+ VALUE/);
    expect(await at.inbox()).toMatchObject([{ status: 'open', questions: [{ text: 'Anybody?' }] }]);
  });
});

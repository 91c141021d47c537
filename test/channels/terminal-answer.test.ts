import { describe, expect, test } from 'vitest';
import type { Policy } from '../../src/schema/notification.ts';
import { CTRL_C, CTRL_D, inTerminal, type Terminal } from '../support/pty.ts';
import { asked, confirm, place, stored } from './support/terminal-place.ts';

describe('CHAN-1 CLI-answer in a terminal', () => {
  test('shows what an agent proposes if nobody answers; "+" accepts it, and the next question follows (BIND-9)', async () => {
    const at = place();
    const policy: Policy = { kind: 'default', after: 4 * 3600, answers: { q1: 'Yes' } };
    const { id } = await asked(at, [{ text: 'Deploy?', options: ['Yes', 'No'] }], 'x', policy);
    await asked(at, [{ text: 'Another one?' }], 'y');
    const terminal = inTerminal(['answer'], at);
    await terminal.shows(
      /Deploy\?[\s\S]*The agent proposes: if nobody answers within 4 h, use Yes\.[\s\S]*"\+" accepts the proposal\n› /,
    );
    terminal.type('+\r');
    await terminal.shows(/Another one\?[\s\S]*› /);
    terminal.type('fine\r');
    await confirm(terminal, 'fine');
    await terminal.shows(
      new RegExp(`Accepted: ${id}\\. If nobody answers within 4 h, the answer will be Yes\\.`),
    );
    expect(await terminal.ended).toBe(0);
    expect(await stored(at, id)).toMatchObject({ status: 'open', policy: { kind: 'default' } });
  });

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

  test('one answer is shown as it will be stored; back changes it, "?" helps and is not stored (BIND-5)', async () => {
    const at = place();
    const { id } = await asked(at, [{ text: 'Which?', options: ['PostgreSQL', 'SQLite'] }]);
    const terminal = inTerminal(['answer', id], at);
    await terminal.shows(/Which\?[\s\S]*› /);
    terminal.type('back\r');
    await terminal.shows(/This is the first question\.\n› /);
    terminal.type('?\r');
    await terminal.shows(
      /You can type: a number, your own words, "skip"; back for the previous question[\s\S]*› /,
    );
    terminal.type('post\r');
    await terminal.shows(/Your answer\n[\s\S]*→ PostgreSQL\n[\s\S]*› /);
    expect((await stored(at, id)).responses).toEqual([]);
    terminal.type('back\r');
    await terminal.shows(/Which\?[\s\S]*› /);
    terminal.type('2\r');
    await confirm(terminal, 'SQLite');
    expect(await terminal.ended).toBe(0);
    expect((await stored(at, id)).responses).toMatchObject([{ answer: 'SQLite' }]);
  });

  test('back goes to the question before, and Ctrl-C does not store what was not confirmed (BIND-5)', async () => {
    const at = place();
    const two = await asked(at, ['First?', 'Second?'], 'x');
    const one = await asked(at, ['Third?'], 'y');
    const terminal = inTerminal(['answer', '--all'], at);
    await terminal.shows(/First\?[\s\S]*› /);
    terminal.type('one\r');
    await terminal.shows(/Second\?[\s\S]*› /);
    terminal.type('back\r');
    await terminal.shows(/First\?[\s\S]*› /);
    terminal.type('uno\r');
    await terminal.shows(/Second\?[\s\S]*› /);
    terminal.type('due\r');
    await terminal.shows(/First\? → uno\n[\s\S]*Second\? → due\n[\s\S]*› /);
    terminal.type('\r');
    await terminal.shows(/Third\?[\s\S]*› /);
    terminal.type('a slip\r');
    await terminal.shows(/→ a slip\n[\s\S]*› /);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expect((await stored(at, two.id)).responses).toMatchObject([{ answer: 'uno' }, { answer: 'due' }]);
    expect(await stored(at, one.id)).toMatchObject({ status: 'open', responses: [] });
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

  test('an agent’s text cannot control the terminal, and all of it is shown (BIND-11)', async () => {
    const at = place();
    const notification = await asked(at, [
      { text: '\x1b[2JEvil\x1b]0;owned\x07?', options: ['\x1b[31mred'] },
    ]);
    const terminal = inTerminal(['answer', notification.id], at);
    await terminal.shows(/␛\[2JEvil␛\]0;owned␇\?[\s\S]*1\) ␛\[31mred/);
    terminal.type('1\r');
    await confirm(terminal, '␛\\[31mred');
    expect(await terminal.ended).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { CTRL_C, inTerminal } from '../support/pty.ts';
import { asked, confirm, place } from './support/terminal-place.ts';

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
    await terminal.shows(/Option 9 does not exist/);
    terminal.type('\r');
    await terminal.shows(/→ B/);
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

  test('CLI-EXIT-2 on the command line, the blank must be filled in', async () => {
    const at = place();
    const { id } = await asked(at, [{ text: 'Where?', options: ['Only here: …', 'Everywhere'] }]);
    const { code, stderr } = await fermata(['answer', id, '1'], at);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has a blank to fill in')]);
    expect((await fermata(['answer', id, 'Only here: Firefox'], at)).code).toBe(0);
  });

  test('CLI-EXIT-2 an empty value is not an answer, whatever is recommended', async () => {
    const at = place();
    const { id } = await asked(at, [{ text: 'Which?', options: ['A', 'B'], recommended: 'A' }]);
    for (const value of ['', '  ']) {
      const { code, stderr } = await fermata(['answer', id, value], at);
      expect([code, stderr]).toEqual([2, expect.stringContaining('The answer is empty')]);
    }
    expect(await at.inbox()).toMatchObject([{ id, responses: [] }]);
  });

  test('the earlier decision is distinguished from what the asker recommends', async () => {
    const at = place();
    const question = [{ text: 'Which?', options: ['A', 'B'], recommended: 'A' }];
    const { id } = await asked(at, question);
    await fermata(['answer', id, 'B'], at);
    await asked(at, question);
    const terminal = inTerminal(['answer'], at);
    await terminal.shows(/2\) B \(decided before\)[\s\S]*Enter takes the earlier decision\n› /);
    terminal.type('\r');
    await confirm(terminal, 'B');
    await terminal.shows(/Stored: n-\w+ B/);
  });

  test('a long or multi-line asker does not take over the list', async () => {
    const at = place();
    await asked(at, [{ text: `Which?\n${'x'.repeat(5000)}`, options: ['A\nn-fake  execute t', 'B'] }]);
    const { stdout } = await fermata(['inbox'], at);
    expect(stdout).toMatch(/^n-.*\n {2}Which\?\n {2}x+ …\n {2}1\) A n-fake execute t {2}2\) B\n$/);
    expect(stdout.length).toBeLessThan(1200);
  });

  test('pasted text is one answer, however many lines it has, and Enter sends it', async () => {
    const at = place();
    await asked(at, [{ text: 'What did it log?' }], 'x');
    await asked(at, [{ text: 'Deploy?' }], 'y');
    const terminal = inTerminal(['answer'], at);
    await terminal.shows(/What did it log\?[\s\S]*› /);
    terminal.type('\u001b[200~one\rtwo\r\u001b[201~');
    terminal.type('\r');
    await confirm(terminal, 'one[\\s\\S]*two');
    await terminal.shows(/Deploy\?[\s\S]*› /);
    terminal.type('no\r');
    await confirm(terminal, 'no');
    expect(await terminal.ended).toBe(0);
    expect((await at.decisions()).map(({ answer }) => answer).sort()).toEqual(['no', 'one\ntwo']);
  });

  test('CHAN-2 text typed for a question that is settled elsewhere is not left for the next one', async () => {
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
    await confirm(terminal, 'no');
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

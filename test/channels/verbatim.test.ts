import { join } from 'node:path';
import { expect, test } from 'vitest';
import { permissionQuestion } from '../../src/agents/questions/permission-question.ts';
import { openLedger } from '../../src/index.ts';
import { awkwardCommands } from '../support/awkward-commands.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { inTerminal } from '../support/pty.ts';

/** A project in which an agent wants to run each of the commands. */
async function asking(commands: string[]) {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, '..', 'home') };
  const ledger = await openLedger(join(env.FERMATA_HOME, 'ledger.db'));
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const by = { actor: { kind: 'agent' as const, name: 'a' }, channel: 'agent' as const };
  for (const [index, command] of commands.entries()) {
    const questions = [permissionQuestion({ tool: 'Bash', input: { command } })];
    await ledger.notifications.create(
      { projectId: 'p', source: 'approval', sourceId: `t-${index}`, questions },
      by,
    );
  }
  await ledger.close();
  return { cwd, env };
}

/** Lines as a person reads them: `┊` continues the one above. */
function linesOf(rows: string): string[] {
  const lines: string[] = [];
  for (const row of rows.split('\n')) {
    const [bar, text] = [row.slice(0, 2), row.slice(2)];
    if (bar === '│ ') lines.push(text);
    else if (bar === '┊ ') lines.push(`${lines.pop()}${text}`);
    else throw new Error(`a row without a bar: ${JSON.stringify(row)}`);
  }
  return lines;
}

test('every byte of 20 awkward commands can be read in a terminal, whole (BIND-11)', async () => {
  const at = await asking(awkwardCommands.map(({ command }) => command));
  const terminal = inTerminal(['answer', '--all'], at);
  for (const { shown } of awkwardCommands) {
    const [, rows = ''] = await terminal.shows(
      /May the agent use Bash\?\ncommand \([^\n]+\):\n([\s\S]*?)\n {2}1\) Approve\n {2}2\) Reject\n[^\n]*\n› /,
    );
    expect(linesOf(rows)).toEqual(shown);
    terminal.type('reject\r');
    await terminal.shows(/Enter to save, back to change › /);
    terminal.type('\r');
  }
  expect(await terminal.ended).toBe(0);
});

longTest(
  'the list says if it shortens a command, and nothing in it can pass for Fermata’s own text (BIND-11)',
  async () => {
    const at = await asking(awkwardCommands.map(({ command }) => command));
    const terminal = inTerminal(['inbox', '--all'], at);
    expect(await terminal.ended).toBe(0);
    const { stdout } = await fermata(['inbox', '--all'], at);
    for (const screen of [terminal.screen(), stdout]) {
      expect(screen.match(/INCOMPLETE: \d+ more rows\. Read all of it: fermata answer n-\w+/g)).toHaveLength(
        2,
      );
      expect(screen).toContain('│ rm -rf packages/**/dist\n');
      expect(screen).toContain('│ echo a ␛]0;title && rm -rf ~\n');
      expect(screen).not.toMatch(/^(?:Stored|› 1|│)/m);
    }
  },
);

test('JSON keeps the raw bytes, and on a terminal draws them as escapes (BIND-11)', async () => {
  const command = 'a\x9b2J\u202eb\x1b]0;\u{e0041}';
  const at = await asking([command]);
  const terminal = inTerminal(['inbox', '--all', '--json'], at);
  expect(await terminal.ended).toBe(0);
  expect(terminal.screen()).toContain('"a\\u009b2J\\u202eb\\u001b]0;\\udb40\\udc41"');
  const { stdout } = await fermata(['inbox', '--all', '--json'], at);
  expect(JSON.parse(stdout).notifications[0].questions[0].verbatim[0].text).toBe(command);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../support/fermata.ts';

const HOOK = join(import.meta.dirname, '../../plugins/claude/hook.cjs');

const question = {
  question: 'Which?',
  header: '',
  multiSelect: false,
  options: [{ label: 'A' }, { label: 'B' }],
};

/** Calls the hook as Claude Code does; a dialog is closed after a while. */
function call(input: object | string, env: Record<string, string> = {}) {
  const cwd = freshFolder();
  const common = { session_id: 's1', transcript_path: join(cwd, 'none.jsonl'), cwd };
  return spawnSync(process.execPath, [HOOK], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, FERMATA_HOME: cwd, CLAUDE_CODE_ENTRYPOINT: 'cli', ...env },
    input: typeof input === 'string' ? input : JSON.stringify({ ...common, ...input }),
    encoding: 'utf8',
    timeout: 20_000,
  });
}

const dialog = {
  hook_event_name: 'PermissionRequest',
  tool_name: 'AskUserQuestion',
  tool_input: { questions: [question] },
};

it.each([
  ['a run of Fermata', dialog, { FERMATA_RUN: 'r-1' }],
  ['a session without a person', dialog, { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }],
  ['an event of a newer version', { hook_event_name: 'SomethingNew' }, {}],
  ['a session id that is a path', { ...dialog, session_id: '../../etc' }, {}],
  ['no JSON', 'not JSON', {}],
])('does nothing for %s, without an error (SES-5)', (_, input, env) => {
  expect(call(input, env)).toMatchObject({ status: 0, stdout: '' });
});

it.each([
  ['is not a ledger', (home: string) => writeFileSync(join(home, 'ledger.db'), 'something else')],
  ['cannot be written', (home: string) => mkdirSync(join(home, 'ledger.db'))],
])('a ledger that %s leaves the dialog to the desk (SES-5)', (_, spoil) => {
  const home = freshFolder();
  spoil(home);
  const { status, stdout } = call(dialog, { FERMATA_HOME: home });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

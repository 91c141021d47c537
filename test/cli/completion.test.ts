import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

const BIN = join(import.meta.dirname, '../../bin/fermata.cjs');

function place() {
  const cwd = freshFolder();
  const home = join(cwd, '..', 'home');
  return { cwd, home, env: { FERMATA_HOME: home } };
}

/** What a shell would offer after these words. */
async function offered(at: ReturnType<typeof place>, ...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await fermata(['complete', '--', ...words], at);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.pop()).toBe(':4');
  return lines.map((line) => line.split('\t')[0] ?? '');
}

describe('CLI-completion', () => {
  test('completes commands, subcommands, options and their values', async () => {
    const at = place();
    expect(await offered(at, 'ta')).toEqual(['tasks']);
    expect(await offered(at, '')).toEqual(expect.arrayContaining(['ask', 'answer', 'tasks', 'doctor']));
    expect(await offered(at, '')).not.toContain('complete');
    expect(await offered(at, 'tasks', 're')).toEqual(['ready', 'release', 'reopen']);
    expect(await offered(at, 'tasks', 'list', '--st')).toEqual(['--status', '--store']);
    expect(await offered(at, 'tasks', 'list', '--status', '')).toEqual([
      'open',
      'in_progress',
      'blocked',
      'closed',
    ]);
    expect(await offered(at, 'events', '--format', 'j')).toEqual(['json']);
    expect(await offered(at, 'config', 'set', 'hilConfig.s')).toEqual(['hilConfig.scopeChanges']);
    expect(await offered(at, 'completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(existsSync(join(at.home, 'ledger.db'))).toBe(false);
  });

  test('completes ids of open questions and of tasks, each with a one-line description', async () => {
    const at = place();
    await fermata(['tasks', 'add', 'Import', '--id', 'import'], at);
    await fermata(['ask', 'Which\u001b[2J\ncolour?', '--timeout', '0.1'], at);
    const [id] = await offered(at, 'answer', '');
    expect(id).toMatch(/^n-/);
    expect((await fermata(['complete', '--', 'withdraw', ''], at)).stdout).toBe(
      `${id}\tWhich␛[2J colour?\n:4\n`,
    );
    for (const verb of ['close', 'release']) expect(await offered(at, 'tasks', verb, '')).toEqual(['import']);
    expect(await offered(at, 'tasks', 'add', 'x', '--depends-on', '')).toEqual(['import']);
    await fermata(['answer', id ?? '', 'red'], at);
    expect(await offered(at, 'answer', '')).toEqual([]);
  });

  test('offers no ids if the configuration or ledger is broken', async () => {
    const at = place();
    const env = { ...at.env, FERMATA_STORE: 'mysql://db/x' };
    expect((await fermata(['complete', '--', 'answer', ''], { ...at, env })).stdout).toBe(':4\n');
  });

  const bash = spawnSync('bash', ['--version']).status === 0;

  longTest.skipIf(!bash)(
    'the bash script completes in a real bash, may be sourced twice, and runs nothing that was typed',
    async () => {
      const at = place();
      const script = `
      fermata() { "${process.execPath}" "${BIN}" "$@"; }
      source <(fermata completion bash); source <(fermata completion bash)
      try() {
        COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMPREPLY=()
        $(complete -p fermata | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
        echo "\${COMPREPLY[*]}"
      }
      try fermata ev
      try fermata tasks re
      try fermata tasks list --format = j
      try fermata tasks list --status ''
      try fermata answer '$(touch typed)' ''
    `;
      const { status, stdout, stderr } = spawnSync('bash', ['--norc', '--noprofile', '-c', script], {
        cwd: at.cwd,
        env: { PATH: process.env.PATH, ...at.env },
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout.split('\n')).toEqual([
        'events',
        'ready release reopen',
        'json',
        'open in_progress blocked closed',
        '',
        '',
      ]);
      expect(existsSync(join(at.cwd, 'typed'))).toBe(false);
    },
  );

  test('prints a script for each shell that asks this program, also in JSON, and refuses another shell', async () => {
    const at = place();
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { code, stdout } = await fermata(['completion', shell], at);
      expect(code).toBe(0);
      expect(stdout).toMatch(/fermata complete '?--/);
      const told = JSON.parse((await fermata(['completion', shell, '--format', 'json'], at)).stdout);
      expect(told).toEqual({ shell, script: expect.any(String) });
      expect(told.script.trimEnd()).toBe(stdout.trimEnd());
    }
    const { code, stderr } = await fermata(['completion', 'tcsh'], at);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish, powershell.');
  });
});

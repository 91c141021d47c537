import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Library, LONG, library } from '../cli/plan-from-issues/support/place.ts';
import { BIN, fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { likeMacOs } from '../support/platforms/preloads.ts';
import { nodeInTerminal } from '../support/pty.ts';

longTest(
  'the demo runs to its end where groups of zombies answer EPERM and there is no /proc',
  async () => {
    const folder = join(freshFolder(), 'demo');
    const result = await fermata(['demo', '--headless', '--folder', folder, '--json'], {
      env: likeMacOs,
      limitMs: 240_000,
    });
    expect(result.code, result.stderr).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ tests_passed: true });
    const name = readFileSync(join(folder, 'home/machine'), 'utf8');
    expect(name).toMatch(/^[\da-f-]{36}\n$/);
  },
  300_000,
);

/** A program that starts ours from its terminal and never answers what comes over the pipe. */
const PARENT = `
const { spawn } = require('node:child_process');
const child = spawn('/bin/sh', JSON.parse(process.env.COMMAND), { stdio: ['pipe', 'ignore', 'inherit'] });
child.on('close', (code) => console.log('\\nEXIT ' + code));
`;

function inTerminalLikeMacOs(at: Library, shell: string) {
  const words = ['sh', process.execPath, BIN, ...at.command, '--max-questions', '1'];
  const COMMAND = JSON.stringify(['-c', shell, ...words]);
  const env = { ...at.env, ...likeMacOs, FERMATA_QA_PIPE: '1', FERMATA_QA_TIMEOUT: '0.2', COMMAND };
  return nodeInTerminal(['--eval', PARENT], { cwd: at.cwd, env });
}

describe('without /proc, and with the ps of macOS', { timeout: LONG }, () => {
  test('a question is asked in the terminal', async () => {
    const at = library();
    const terminal = inTerminalLikeMacOs(at, 'exec "$@"');
    await terminal.shows(/in the terminal instead[\s\S]*\n› /);
    terminal.type('typed\r');
    await terminal.shows(/EXIT 0/);
    expect(at.read()).toContain('**typed**');
  });

  test('a background job is not stopped by the terminal: the question stays open', async () => {
    const at = library();
    const terminal = inTerminalLikeMacOs(at, 'set -m; "$@" & wait $!');
    await terminal.shows(/stays open: fermata answer/);
    await terminal.shows(/EXIT \d/);
  });
});

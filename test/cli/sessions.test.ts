import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fermata, freshFolder } from '../support/fermata.ts';

const HOOK = join(import.meta.dirname, '../../plugins/claude/hook.cjs');

/** A session whose agent program is a process that only waits. */
async function session() {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, 'home') };
  const claude = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void claude.kill('SIGKILL'));
  const hook = (event: string, more: object = {}) => {
    const input = { session_id: 's1', transcript_path: join(cwd, 'none.jsonl'), cwd, hook_event_name: event };
    return spawnSync(process.execPath, [HOOK], {
      env: { PATH: process.env.PATH, ...env, CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: String(claude.pid) },
      input: JSON.stringify({ ...input, ...more }),
      encoding: 'utf8',
    });
  };
  const listed = async () => {
    const { stdout } = await fermata(['sessions', '--json'], { cwd, env });
    return JSON.parse(stdout).sessions;
  };
  return { cwd, env, claude, hook, listed };
}

it('lists what each session is doing, and ends one that is gone (CLI-sessions, SES-10)', async () => {
  const { cwd, env, claude, hook, listed } = await session();
  hook('SessionStart');
  expect(await listed()).toMatchObject([{ session: 's1', agent: 'claude', state: 'idle', folder: cwd }]);
  hook('UserPromptSubmit', { prompt: 'Write the importer.' });
  expect((await fermata(['sessions'], { cwd, env })).stdout).toMatch(
    /s1 .*claude .*working .*Write the importer\./,
  );
  hook('Stop', { last_assistant_message: 'Done.' });
  expect(await listed()).toMatchObject([{ state: 'idle' }]);
  claude.kill('SIGKILL');
  await once(claude, 'exit');
  expect(await listed()).toEqual([]);
});

it("a session's own agent cannot answer by mistake (SES-8)", async () => {
  const { cwd, env } = await session();
  await fermata(['ask', 'Really?', '--timeout', '1', '--no-prompt'], { cwd, env });
  const [{ id }] = JSON.parse((await fermata(['inbox', '--json'], { cwd, env })).stdout).notifications;
  const inside = { cwd, env: { ...env, CLAUDECODE: '1' } };
  for (const command of ['answer', 'amend'])
    expect(await fermata([command, id, 'yes', '--json'], inside)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('forbidden'),
    });
});

it('a word to a session is queued until its hooks bring it (CLI-tell, SES-9)', async () => {
  const { cwd, env, hook } = await session();
  hook('SessionStart');
  const tell = (...args: string[]) => fermata(['tell', ...args, '--json'], { cwd, env });
  const { message, woken } = JSON.parse((await tell('s1', 'Use tabs.')).stdout);
  expect([message.delivery, woken]).toEqual(['queued', false]);
  expect(hook('UserPromptSubmit', { prompt: 'Go on.' }).stdout).toContain('Use tabs.');
  expect(hook('Stop', { last_assistant_message: 'Done.' }).stdout).toMatch(/"decision":"block".*Use tabs\./);
  expect(await tell('nobody', 'Hello.')).toMatchObject({ code: 1 });
  hook('SessionEnd', { reason: 'other' });
  expect(await tell('s1', 'Too late.')).toMatchObject({ code: 1 });
});

import { ChildProcess, execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { git, gitNames, tryGit } from '../../src/git/git.ts';
import { startGit, startReceiver, startRemoteGit } from '../../src/git/start-git.ts';
import { refusal } from '../ledger/support/ask.ts';
import { commit, freshPlace, initRepository } from '../work/support/repository.ts';

function repository(): string {
  const folder = join(freshPlace(), 'r');
  mkdirSync(folder);
  initRepository(folder);
  commit(folder, 'first', { 'a.txt': 'a' });
  return folder;
}

function withEnv(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** As Node does it if too many files are open: no pipes, and an error a moment later. */
function withoutFiles(): void {
  const spawn = Object.getOwnPropertyDescriptor(ChildProcess.prototype, 'spawn');
  onTestFinished(() => void Object.defineProperty(ChildProcess.prototype, 'spawn', spawn ?? {}));
  Object.defineProperty(ChildProcess.prototype, 'spawn', {
    configurable: true,
    value(this: ChildProcess) {
      const error = Object.assign(new Error('spawn git EMFILE'), { code: 'EMFILE', syscall: 'spawn git' });
      process.nextTick(() => this.emit('error', error));
      return -24;
    },
  });
}

describe('the wrapper around git', () => {
  it('OPS-7 says what to do if too many files are open, however git is started', async () => {
    const { env } = process;
    const sender = { program: 'git', args: [], env };
    withoutFiles();
    for (const start of [
      () => startGit('/', ['status'], { env }),
      () => startGit('/', ['cat-file'], { env, onOutput: () => undefined }),
      () => startReceiver('/', ['index-pack'], { env, sender, input: '', timeoutMs: 1000 }),
      () => startRemoteGit('/', ['fetch'], { env, timeoutMs: 1000 }),
    ])
      expect(await refusal(start())).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('ulimit -n'),
      });
  });

  it('works on the folder it is given, whatever the caller’s environment says', async () => {
    const [one, two] = [repository(), repository()];
    withEnv({
      GIT_DIR: join(two, '.git'),
      GIT_WORK_TREE: two,
      GIT_INDEX_FILE: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      LANGUAGE: 'de',
      LC_ALL: 'de_DE.UTF-8',
    });
    expect(await git(one, ['rev-parse', '--show-toplevel'])).toBe(one);
    expect((await tryGit(one, ['switch', 'nothing'])).stderr).toContain('invalid reference');
  });

  it.runIf(process.platform !== 'win32')(
    'BIND-20 ends a git that waits on a pipe that an agent left',
    async () => {
      const folder = repository();
      execFileSync('mkfifo', [join(folder, '.gitignore')]);
      const status = startGit(folder, ['status'], { env: process.env, timeoutMs: 500 });
      expect(await refusal(status)).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('.gitignore'),
      });
    },
  );

  it('waits for another running git, and names the lock if that takes too long', async () => {
    const folder = repository();
    const lock = join(folder, '.git/index.lock');
    writeFileSync(lock, '');
    setTimeout(() => rmSync(lock), 300);
    expect((await tryGit(folder, ['add', '-A'])).code).toBe(0);
    writeFileSync(lock, '');
    expect(await refusal(git(folder, ['add', '-A'], { lockWaitMs: 300 }))).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('index.lock'),
    });
  }, 240_000);

  it('bounds what git prints, or cuts it off', async () => {
    const folder = repository();
    const args = ['log', '--format=%H%n%H%n%H'];
    expect(await refusal(git(folder, args, { maxBytes: 50 }))).toMatchObject({ code: 'unavailable' });
    expect(await git(folder, args, { maxBytes: 50, cut: true })).toHaveLength(50);
  });

  it('never treats a git that was ended by a signal as successful', async () => {
    const folder = repository();
    const bin = join(freshPlace(), 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nkill -PIPE $$\n', { mode: 0o755 });
    withEnv({ PATH: `${bin}:${process.env.PATH}` });
    expect((await refusal(tryGit(folder, ['status']))).message).toContain('was ended by SIGPIPE');
  });

  it('reports clearly that git is missing, that the folder is gone, or that a command failed', async () => {
    const folder = repository();
    expect((await refusal(git(join(folder, 'gone'), ['status']))).message).toContain(
      'that the folder exists',
    );
    expect(await refusal(git(folder, ['rev-parse', '--verify', 'nothing']))).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^git rev-parse failed: fatal: /),
    });
    withEnv({ PATH: '/nowhere' });
    expect((await refusal(git(folder, ['status']))).message).toContain('that git is on the PATH');
  });

  it('returns file names as bytes', async () => {
    const folder = repository();
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x0a])]), '');
    expect(await gitNames(folder, ['ls-files', '-z', '--others'])).toEqual(['\xff\n']);
  });
});

import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorktree } from '../../src/work/worktrees/open-worktree.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import {
  commit,
  freshRepository,
  loginPhase,
  sh,
  type TestRepository,
  write,
} from '../work/support/repository.ts';

const block = '// [DEBUG-TEMP]\nconsole.log(1);\n\nkeep();\n';
const phase = loginPhase('1');

async function run(at: Pick<TestRepository, 'home'>, cwd: string, ...args: string[]) {
  const { code, stdout } = await fermata(args, { cwd, env: { FERMATA_HOME: at.home } });
  return { code, ...JSON.parse(stdout) };
}

describe('CLI-git', () => {
  it('CMD-12 in a worktree the base is the feature branch, by its record; in the main checkout it is main', async () => {
    const at = await freshRepository();
    const onLogin = commit(at.main, 'on login', { 'login.txt': 'l\n' });
    const { path, branch } = await openWorktree(at.worktreeContext, phase);
    write(path, { 'new.txt': 'n\n' });
    const inWorktree = await run(at, join(path, 'dir with space'), 'git', 'diff-base');
    expect(inWorktree).toMatchObject({
      code: 0,
      status: 'success',
      data: {
        base: { branch: 'login', commit: onLogin, merge_base: onLogin },
        head: { branch, commit: onLogin },
        summary: { files: 1, insertions: 1, deletions: 0 },
        files: [{ path: 'new.txt', change: 'added' }],
        untracked: ['new.txt'],
      },
    });
    sh(path, 'switch', '-q', '-c', 'renamed');
    expect((await run(at, path, 'git', 'diff-base')).data.base.branch).toBe('login');
    const { data } = await run(at, at.main, 'git', 'diff-base', '--format', 'json');
    expect(data).toMatchObject({ base: { branch: 'main' }, files: [{ path: 'login.txt' }] });
  });

  it('CMD-13 merges a phase from its worktree; a conflict is an error with the files as data', async () => {
    const at = await freshRepository();
    const { path } = await openWorktree(at.worktreeContext, phase);
    commit(path, 'work', { 'a.txt': 'theirs\n' });
    commit(at.main, 'ours', { 'a.txt': 'ours\n' });
    const refused = await run(at, path, 'git', 'merge-worktree', '1');
    expect(refused).toMatchObject({
      code: 1,
      status: 'error',
      error: { type: 'merge_conflict', suggestion: expect.stringContaining('Nothing was merged.') },
      data: { merged: false, conflicts: [{ path: 'a.txt' }] },
    });
    sh(path, 'merge', '-q', '-X', 'ours', 'login');
    const merged = await run(at, at.main, 'git', 'merge-worktree', '1', '--plan', 'plans/login');
    expect(merged).toMatchObject({ code: 0, status: 'success', data: { merged: true, into: 'login' } });
    expect(readFileSync(join(at.main, 'a.txt'), 'utf8')).toBe('theirs\n');
  });

  it('LED-10 a change that adds a dependency is merged only after a person approved exactly that', async () => {
    const at = await freshRepository();
    const person = { cwd: at.main, env: { FERMATA_HOME: at.home } };
    await fermata(['config', 'set', 'hilConfig', 'confirm_all'], person);
    const { path } = await openWorktree(at.worktreeContext, phase);
    const merge = () => run(at, path, 'git', 'merge-worktree', '1');
    write(path, { 'package.json': '{"dependencies":{"left-pad":"1.3.0"}}' });
    expect((await merge()).error.type, 'nobody is asked about what cannot be merged yet').toBe('uncommitted');
    commit(path, 'a dependency');
    const refused = await merge();
    expect(refused).toMatchObject({
      code: 3,
      error: {
        type: 'needs_approval',
        message: expect.stringMatching(/package\.json changed:\n[\s\S]*\+.*"left-pad":"1\.3\.0"/),
      },
      data: { merged: false, notification: expect.stringMatching(/^n-/) },
    });
    expect((await merge()).data.notification, 'asked once').toBe(refused.data.notification);
    await fermata(['answer', refused.data.notification, 'Reject', '--note', 'Use ours'], person);
    expect(await merge()).toMatchObject({
      code: 1,
      error: { type: 'rejected', message: expect.stringMatching(/left-pad[\s\S]*Use ours/) },
    });
    commit(path, 'another one', { 'package.json': '{"dependencies":{"ours":"1.0.0"}}' });
    const again = await merge();
    await fermata(['answer', again.data.notification, 'Approve'], person);
    expect(await merge()).toMatchObject({ code: 0, data: { merged: true } });
  });

  it.each([
    ['a phase that has no worktree', ['merge-worktree', '7', 'B'], 'not_found'],
    ['a phase that is missing', ['merge-worktree'], 'invalid'],
    ['an option that there is not', ['diff-base', '--nothing'], 'invalid'],
    ['a plan that has none', ['merge-worktree', '1', '--plan', 'plans/other'], 'not_found'],
  ])('CLI-EXIT-1 reports %s as one JSON object', async (_, args, type) => {
    const at = await freshRepository();
    const { code, status, error } = await run(at, at.main, 'git', ...args);
    expect({ code, status, type: error.type }).toEqual({ code: 1, status: 'error', type });
  });

  it('CLI-EXIT-1 fails outside of a repository', async () => {
    for (const args of [
      ['git', 'diff-base'],
      ['git', 'merge-worktree', '1'],
      ['plan', 'cleanup-debug-logs'],
    ]) {
      const { code, stdout } = await fermata(args, { cwd: freshFolder() });
      expect({ code, type: JSON.parse(stdout).error.type }).toEqual({ code: 1, type: 'no_repository' });
    }
  });
});

describe('plan cleanup-debug-logs', () => {
  it('CMD-11 cleans the whole worktree from any folder in it', async () => {
    const at = await freshRepository();
    write(at.main, { 'src/a.ts': block });
    expect(await run(at, join(at.main, 'dir with space'), 'plan', 'cleanup-debug-logs')).toEqual({
      code: 0,
      status: 'success',
      data: {
        success: true,
        files_modified: ['src/a.ts'],
        markers_removed: 1,
        lines_deleted: 2,
        failed: [],
        left: [],
        unended: [],
      },
    });
  });

  it('DBG-1 a file that cannot be read or replaced is named and makes success false; the others are cleaned', async ({
    skip,
  }) => {
    if (process.getuid?.() !== 0) skip('only root can run it as somebody else');
    const at = await freshRepository();
    commit(at.main, 'x', { 'secret.ts': block, 'ok.ts': block, 'shut/c.ts': block });
    write(at.main, { 'untracked.ts': block });
    spawnSync('chown', ['-R', '65534:65534', join(at.main, '..')]);
    chmodSync(join(at.main, '../..'), 0o755);
    for (const [file, mode] of [
      ['secret.ts', 0],
      ['untracked.ts', 0],
      ['shut', 0o555],
    ] as const) {
      chmodSync(join(at.main, file), mode);
    }
    const { code, stdout } = await fermata(['plan', 'cleanup-debug-logs'], {
      cwd: at.main,
      env: { FERMATA_HOME: at.home, HOME: at.home },
      account: { uid: 65534, gid: 65534 },
    });
    const { status, data } = JSON.parse(stdout);
    expect({ code, status, success: data.success }).toEqual({ code: 1, status: 'error', success: false });
    expect(data.files_modified).toEqual(['ok.ts']);
    expect(data.failed.map(({ file }: { file: string }) => file).sort()).toEqual([
      'secret.ts',
      'shut/c.ts',
      'untracked.ts',
    ]);
    expect(readFileSync(join(at.main, 'shut/c.ts'), 'utf8')).toBe(block);
  });

  longTest(
    'DBG-1 a full disk leaves the file as it was; a process that dies at any step leaves it as it was or cleaned',
    async () => {
      const at = await freshRepository();
      for (const point of ['cleanup.begin', 'cleanup.written', 'cleanup.replaced']) {
        write(at.main, { 'a.ts': block });
        const dead = { cwd: at.main, env: { FERMATA_HOME: at.home, FERMATA_CRASH_AT: `${point}=kill` } };
        await fermata(['plan', 'cleanup-debug-logs'], dead);
        expect(readFileSync(join(at.main, 'a.ts'), 'utf8')).toBe(
          point === 'cleanup.replaced' ? '\nkeep();\n' : block,
        );
        expect((await run(at, at.main, 'plan', 'cleanup-debug-logs')).code).toBe(0);
        expect(readFileSync(join(at.main, 'a.ts'), 'utf8')).toBe('\nkeep();\n');
      }
      write(at.main, { 'a.ts': block });
      const full = {
        cwd: at.main,
        env: { FERMATA_HOME: at.home, FERMATA_CRASH_AT: 'cleanup.written=ENOSPC' },
      };
      const { code, stdout } = await fermata(['plan', 'cleanup-debug-logs'], full);
      expect({ code, data: JSON.parse(stdout).data }).toMatchObject({
        code: 1,
        data: { success: false, failed: [{ file: 'a.ts', error: expect.stringContaining('ENOSPC') }] },
      });
      expect(readFileSync(join(at.main, 'a.ts'), 'utf8')).toBe(block);
    },
  );
});

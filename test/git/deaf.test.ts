import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { commitAll, commitTracked } from '../../src/git/commit.ts';
import { diffBase } from '../../src/git/diff-base.ts';
import { git, tryGit } from '../../src/git/git.ts';
import { isAncestor } from '../../src/git/refs.ts';
import { listRemotes } from '../../src/git/remote/address.ts';
import { checkoutStatus } from '../../src/git/status.ts';
import { cleanupDebugLogs } from '../../src/work/debug-logs/cleanup-debug-logs.ts';
import { cleanupWorktrees } from '../../src/work/worktrees/cleanup-worktrees.ts';
import { discardWorktree } from '../../src/work/worktrees/discard-worktree.ts';
import { mergeWorktree } from '../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../ledger/support/ask.ts';
import { longTest } from '../support/long-test.ts';
import { commit, freshRepository, loginPhase, sh, write } from '../work/support/repository.ts';
import { hookNames, hostileConfig, setTrap } from '../work/support/trap.ts';

/** The person's own configuration for the rest of the test. */
function own(main: string, text: string): void {
  const path = join(main, '../own-gitconfig');
  writeFileSync(path, text);
  vi.stubEnv('GIT_CONFIG_GLOBAL', path);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('our git ignores what a repository configures', () => {
  it('no program that a repository names anywhere runs in the life of a worktree (BIND-13)', async () => {
    const { main, worktreeContext } = await freshRepository();
    commit(main, 'attributes', { '.gitattributes': '* diff=trap merge=trap\n', 'b.txt': 'one\n' });
    const trap = setTrap();
    appendFileSync(join(main, '.git/config'), hostileConfig(trap));
    mkdirSync(join(main, '.git/hooks'), { recursive: true });
    for (const name of hookNames)
      writeFileSync(join(main, '.git/hooks', name), readFileSync(trap.program), { mode: 0o755 });

    const kept = await openWorktree(worktreeContext, loginPhase('1'));
    const dropped = await openWorktree(worktreeContext, loginPhase('2'));
    for (const { path } of [kept, dropped]) {
      write(path, { 'new.txt': 'new\n', 'sub/other.txt': 'x\n' });
      rmSync(join(path, 'b.txt'));
      await commitAll(path, 'work');
      write(path, { 'new.txt': '// [DEBUG-TEMP]\nlog\n\nnew\n', 'untracked.txt': 'u\n' });
      await checkoutStatus(path);
      await diffBase(path, 'login');
      await cleanupDebugLogs(path);
      await commitTracked(path, 'more');
      await commitAll(path, 'all');
    }
    write(main, { 'of-the-person.txt': 'p\n' });
    await commitAll(main, 'meanwhile');
    expect(await mergeWorktree(worktreeContext, kept)).toMatchObject({ into: 'login', already: false });
    expect((await cleanupWorktrees(worktreeContext, { dryRun: false })).kept).toMatchObject([
      { branch: dropped.branch },
    ]);
    expect(await discardWorktree(worktreeContext, dropped)).toMatchObject({
      archive: `archive/${dropped.branch}`,
    });
    expect(await listRemotes(main)).toMatchObject([{ name: 'origin' }]);
    const absent = '1'.repeat(40);
    // Git tries to fetch it, and may fail by a broken pipe.
    const { code } = await tryGit(main, ['cat-file', '-e', absent]).catch(() => ({ code: -1 }));
    expect(code).not.toBe(0);
    expect(trap.marks()).toEqual([]);
    // The trap works: a person's own git would have run it.
    expect(() => sh(main, 'commit', '--allow-empty', '-m', 'x')).toThrow();
    expect(trap.marks()).not.toEqual([]);
  }, 240_000);

  it.each([
    ['in its configuration', (main: string, text: string) => appendFileSync(join(main, '.git/config'), text)],
    [
      'in a file that it includes',
      (main: string, text: string) => {
        writeFileSync(join(main, '.git/more'), text);
        appendFileSync(join(main, '.git/config'), '\n[include]\n\tpath = more\n');
      },
    ],
    [
      'in the configuration of one worktree',
      (main: string, text: string) => {
        sh(main, 'config', 'extensions.worktreeConfig', 'true');
        writeFileSync(join(main, '.git/config.worktree'), text);
      },
    ],
  ])(
    'a filter that only the repository names %s refuses its files with what to do, and does not run (BIND-13)',
    async (_, configure) => {
      const { main } = await freshRepository();
      commit(main, 'attributes', { '.gitattributes': '*.secret filter=a.trap\n' });
      const trap = setTrap();
      configure(
        main,
        `\n[filter "a.trap"]\n\tclean = ${trap.program}\n\tsmudge = ${trap.program}\n\tprocess = ${trap.program}\n`,
      );
      write(main, { 'plain.txt': 'p\n' });
      expect(await commitAll(main, 'no such file')).toBe(true);
      write(main, { 'x.secret': 'secret\n' });
      const { code, message } = await refusal(commitAll(main, 'secret'));
      expect(code).toBe('invalid');
      expect(message).toContain('The filter "a.trap" is set only in this repository\'s configuration');
      expect(message).toContain('git config --local --remove-section filter.a.trap');
      expect(trap.marks()).toEqual([]);
    },
  );

  it('a filter from the person’s own configuration runs, whatever the repository says (BIND-13)', async () => {
    const { main } = await freshRepository();
    own(main, '[filter "upper"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n');
    commit(main, 'attributes', { '.gitattributes': '*.up filter=upper\n' });
    const trap = setTrap();
    appendFileSync(
      join(main, '.git/config'),
      `\n[filter "upper"]\n\tclean = ${trap.program}\n\trequired = false\n`,
    );
    write(main, { 'x.up': 'abc\n' });
    await commitAll(main, 'upper');
    expect(await git(main, ['show', 'HEAD:x.up'])).toBe('ABC');
    expect(trap.marks()).toEqual([]);
  });

  it('a merge driver that only the repository names makes a conflict, and does not run (BIND-13)', async () => {
    const { main, worktreeContext } = await freshRepository();
    commit(main, 'attributes', { '.gitattributes': '*.txt merge=trap\n' });
    const worktree = await openWorktree(worktreeContext, loginPhase('1'));
    const trap = setTrap();
    appendFileSync(join(main, '.git/config'), `\n[merge "trap"]\n\tdriver = ${trap.program}\n`);
    commit(worktree.path, 'theirs', { 'a.txt': 'one\ntwo\nthree\nfour\n' });
    commit(main, 'ours', { 'a.txt': 'zero\none\ntwo\nthree\n' });
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({ type: 'merge_conflict' });
    expect(trap.marks()).toEqual([]);
  });

  it('a nested repository is recorded by its commit, and git does not run in it (BIND-13)', async () => {
    const { worktreeContext } = await freshRepository();
    const { path } = await openWorktree(worktreeContext, loginPhase('1'));
    const trap = setTrap();
    const inside = join(path, 'inside');
    mkdirSync(inside);
    sh(inside, 'init', '-q');
    const first = commit(inside, 'first', { 'x.txt': 'x\n' });
    sh(inside, 'config', 'core.fsmonitor', trap.program);
    sh(inside, 'config', 'core.hooksPath', trap.hooks);
    for (let round = 0; round < 2; round++) {
      write(inside, { 'x.txt': `changed ${round}\n` });
      write(path, { 'a.txt': `changed ${round}\n` });
      await commitAll(path, 'all');
      await commitTracked(path, 'tracked');
      await checkoutStatus(path);
      await diffBase(path, 'login');
      await cleanupDebugLogs(path);
    }
    expect(await git(path, ['ls-tree', 'HEAD', 'inside'])).toBe(`160000 commit ${first}\tinside`);
    expect(trap.marks()).toEqual([]);
    sh(path, 'status');
    expect(trap.marks()).not.toEqual([]);
    sh(path, 'init', '-q', 'empty');
    expect(await refusal(commitAll(path, 'all'))).toMatchObject({
      type: 'repository_inside',
      message: expect.stringContaining('empty is another repository without a commit'),
    });
  });

  longTest.each(['diff', 'log'])(
    'git does not run in a nested repository when its commits are compared with diff.submodule=%s (BIND-13)',
    async (how) => {
      const { main, worktreeContext } = await freshRepository();
      const { path } = await openWorktree(worktreeContext, loginPhase('1'));
      const trap = setTrap();
      const inside = join(path, 'inside');
      mkdirSync(inside);
      sh(inside, 'init', '-q');
      commit(inside, 'first', { 'x.txt': 'x\n' });
      await commitAll(path, 'one');
      const second = commit(inside, 'second', { 'x.txt': 'y\n' });
      await commitAll(path, 'two');
      for (const key of ['diff.external', 'core.fsmonitor', 'core.pager'])
        sh(inside, 'config', key, trap.program);
      sh(main, 'config', 'diff.submodule', how);
      for (const args of [['diff', 'HEAD~', 'HEAD'], ['show'], ['log', '-p']])
        expect(await git(path, args)).toContain(`+Subproject commit ${second}`);
      expect((await diffBase(path, 'login')).diff).toContain('+Subproject commit');
      expect(trap.marks()).toEqual([]);
      if (how === 'log') return;
      sh(path, 'show');
      expect(trap.marks()).not.toEqual([]);
    },
  );

  it('a graft does not pass a commit off as merged (BIND-13)', async () => {
    const { main } = await freshRepository();
    const before = sh(main, 'rev-parse', 'HEAD');
    const work = commit(main, 'work', { 'w.txt': 'w\n' });
    sh(main, 'reset', '-q', '--hard', before);
    const tip = commit(main, 'other', { 'o.txt': 'o\n' });
    mkdirSync(join(main, '.git/info'), { recursive: true });
    writeFileSync(join(main, '.git/info/grafts'), `${tip} ${before} ${work}\n`);
    expect(sh(main, 'merge-base', work, tip)).toBe(work);
    expect(await isAncestor(main, work, tip)).toBe(false);
    expect((await tryGit(main, ['log'])).stderr).toBe('');
  });

  it('a worktree’s git directory is the recorded one, whatever replaced its .git (BIND-13)', async () => {
    const { main, home, worktreeContext } = await freshRepository();
    vi.stubEnv('FERMATA_HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { path, branch } = await openWorktree(worktreeContext, loginPhase('1'));
    const trap = setTrap();
    rmSync(join(path, '.git'));
    sh(path, 'init', '-q', '-b', branch);
    appendFileSync(join(path, '.git/config'), hostileConfig(trap));
    write(path, { 'sub/work.txt': 'work\n' });
    await commitAll(path, 'work');
    expect(await git(main, ['log', '-1', '--format=%s', branch])).toBe('work');
    expect(await git(path, ['rev-parse', '--git-common-dir'])).toBe(join(main, '.git'));
    expect(trap.marks()).toEqual([]);
  });

  it.each(['COMMIT_EDITMSG', 'logs/HEAD', 'logs'])(
    'git does not write through a link that an agent made of %s (BIND-13, BIND-14)',
    async (name) => {
      const { main, home, worktreeContext } = await freshRepository();
      vi.stubEnv('FERMATA_HOME', home);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { path } = await openWorktree(worktreeContext, loginPhase('1'));
      const link = join(await git(path, ['rev-parse', '--absolute-git-dir']), name);
      const outside = join(main, '../outside');
      mkdirSync(outside);
      writeFileSync(join(outside, 'HEAD'), 'mine\n');
      rmSync(link, { recursive: true, force: true });
      symlinkSync(name === 'logs' ? outside : join(outside, 'HEAD'), link);
      write(path, { 'new.txt': 'x\n' });
      expect((await refusal(commitAll(path, 'work'))).message).toContain(`${link} is a link`);
      expect(readFileSync(join(outside, 'HEAD'), 'utf8')).toBe('mine\n');
    },
  );

  it('a repository with more settings than we can override is refused (BIND-13)', async () => {
    const { main } = await freshRepository();
    const many = Array.from({ length: 1100 }, (_, at) => `[filter "f${at}"]\n\tclean = x\n`).join('');
    appendFileSync(join(main, '.git/config'), `\n${many}`);
    expect((await refusal(git(main, ['status']))).message).toContain('names more than 1000 drivers');
    writeFileSync(join(main, '.git/config'), `#${'x'.repeat(1024 * 1024)}\n`);
    expect((await refusal(git(main, ['status']))).message).toContain('has more than 1048576 bytes');
  });
});

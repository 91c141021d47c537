import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitAll } from '../../../src/git/commit.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { receiveWork } from '../../../src/work/worktrees/receive-work.ts';
import { ended, start } from '../../crash/support/processes.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { bundledProgram } from '../../support/bundled-program.ts';
import { keepOnDisk } from '../../support/keep-on-disk.ts';
import { sandboxedWork } from '../support/agent-sandbox.ts';
import { sh, write } from '../support/repository.ts';

keepOnDisk();

describe('BIND-19 the commits of a sandboxed agent', () => {
  it('enter the repository with all objects, and the worktree is clean afterwards', async ({ skip }) => {
    const { worktree, agent, git } = await sandboxedWork(skip);
    const tip = agent(
      'mkdir d; echo new > d/b.txt; echo more >> a.txt; git add .; git commit -qm Mine; git rev-parse HEAD',
    );
    await receiveWork(worktree.path, 'login');
    expect(git('rev-parse', worktree.branch)).toBe(tip);
    expect(sh(worktree.path, 'status', '--porcelain')).toBe('');
    expect(git('show', `${worktree.branch}:d/b.txt`)).toBe('new');
    expect(git('fsck', '--strict')).not.toContain('missing');
  });

  it('what we commit on top of them stays when they are taken over again, and the next agent may undo it', async ({
    skip,
  }) => {
    const { worktree, agent, git } = await sandboxedWork(skip);
    const mine = agent(
      'echo new > b.txt; git add .; git commit -qm Mine; echo rest > c.txt; git rev-parse HEAD',
    );
    await receiveWork(worktree.path);
    await commitAll(worktree.path, 'the rest');
    await receiveWork(worktree.path);
    expect(git('log', '-2', '--format=%s', worktree.branch)).toBe('the rest\nMine');
    agent('git reset --hard -q HEAD~1');
    await receiveWork(worktree.path);
    expect(git('rev-parse', worktree.branch)).toBe(mine);
  });

  it('a forged object of a file that was not committed is never read (F2)', async ({ skip }) => {
    const { worktree, worktreeContext, agent, git } = await sandboxedWork(skip);
    agent('echo "echo harmless" > tool.sh; forge tool.sh "echo EVIL"');
    await receiveWork(worktree.path);
    await commitAll(worktree.path, 'work');
    await mergeWorktree(worktreeContext, worktree);
    expect(git('show', 'login:tool.sh')).toBe('echo harmless');
  });

  it('a forged object of a committed file is refused with its name, and nothing is taken over (F2)', async ({
    skip,
  }) => {
    const { worktree, agent, git } = await sandboxedWork(skip);
    const before = git('rev-parse', worktree.branch);
    const id = agent(`
      echo "echo harmless" > tool.sh; git add tool.sh; git commit -qm Tool
      forge tool.sh "echo EVIL"; git rev-parse HEAD:tool.sh`);
    const { message, details } = await refusal(receiveWork(worktree.path));
    expect(message).toContain(`${id} (tool.sh)`);
    expect(details).toEqual({ object: id, path: 'tool.sh' });
    expect(git('rev-parse', worktree.branch)).toBe(before);
    expect(() => git('cat-file', '-e', id)).toThrow();
  });

  it('a file that the agent did not touch stays the one of the repository (F2)', async ({ skip }) => {
    const { main, worktree, worktreeContext, agent, git } = await sandboxedWork(skip);
    agent('forge a.txt POISONED; git show HEAD:a.txt > seen.txt; git add seen.txt; git commit -qm Seen');
    await receiveWork(worktree.path);
    await mergeWorktree(worktreeContext, worktree);
    expect(git('show', 'login:seen.txt')).toBe('POISONED');
    git('worktree', 'add', '-q', join(main, '../other'), 'main');
    expect(readFileSync(join(main, '../other/a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it('our git reads no file of git that the agent can write (F3)', async ({ skip }) => {
    const { main, worktree, agent, git } = await sandboxedWork(skip);
    git('config', 'extensions.worktreeConfig', 'true');
    const mark = join(main, '../mark');
    const head = agent(`
      echo '*.txt filter=evil' > .gitattributes; echo x > x.txt
      cd "$(git rev-parse --git-dir)"
      printf '[filter "evil"]\\n\\tclean = sh -c "id > ${mark}; cat"\\n' > config.worktree
      echo 'ref: refs/heads/main' > HEAD; echo /tmp > commondir; echo junk > index; cat HEAD`);
    expect(head).toBe('ref: refs/heads/main');
    await receiveWork(worktree.path);
    await commitAll(worktree.path, 'work');
    expect(existsSync(mark)).toBe(false);
    expect(git('log', '-1', '--format=%s', worktree.branch)).toBe('work');
    expect(git('log', '-1', '--format=%s', 'main')).toBe('first');
  });

  it('an agent’s merge, its stash and the link to a submodule survive', async ({ skip }) => {
    const { main, worktree, agent, git } = await sandboxedWork(skip);
    write(main, { 'a.txt': 'ONE\ntwo\nthree\n' });
    git('commit', '-qam', 'theirs');
    agent('echo mine > a.txt; git commit -qam Mine; echo kept > k.txt; git add k.txt; git stash -q');
    await receiveWork(worktree.path, 'login');
    const link = git('rev-parse', 'main');
    const merged = agent(`
      git merge login > /dev/null 2>&1 || true
      echo both > a.txt; git add a.txt; git update-index --add --cacheinfo 160000,${link},sub; git commit -qm Both
      git stash pop -q; git rm -q --cached k.txt; git rev-parse HEAD`);
    await receiveWork(worktree.path, 'login');
    expect(git('rev-parse', worktree.branch)).toBe(merged);
    expect(git('ls-tree', worktree.branch, 'sub')).toContain(`160000 commit ${link}`);
    expect(readFileSync(join(worktree.path, 'k.txt'), 'utf8')).toBe('kept\n');
  });

  it('a merge that the agent began is concluded with both parents', async ({ skip }) => {
    const { main, worktree, agent, git } = await sandboxedWork(skip);
    write(main, { 'a.txt': 'ONE\ntwo\nthree\n' });
    git('commit', '-qam', 'theirs');
    agent('echo mine > a.txt; git commit -qam Mine; git merge login > /dev/null 2>&1 || echo both > a.txt');
    await receiveWork(worktree.path, 'login');
    await commitAll(worktree.path, 'Both');
    expect(git('rev-parse', `${worktree.branch}^2`)).toBe(git('rev-parse', 'login'));
    expect(git('show', `${worktree.branch}:a.txt`)).toBe('both');
  });

  it.for([
    ['the id of a file', 'git rev-parse HEAD:a.txt'],
    ['an object that is nowhere', `echo ${'1'.repeat(40)}`],
    [
      'a commit without its tree',
      'echo "tree 1111111111111111111111111111111111111111" > c; cat c | git hash-object -t commit -w --stdin --literally',
    ],
  ])('a branch that names %s is refused', async ([, command], { skip }) => {
    const { worktree, agent, git } = await sandboxedWork(skip);
    const before = git('rev-parse', worktree.branch);
    agent(
      `id=$(${command}); echo $id > "$(git rev-parse --git-path refs/heads/${worktree.branch})"; rm -f c`,
    );
    expect(await refusal(receiveWork(worktree.path))).toMatchObject({ type: 'tampered' });
    expect(git('rev-parse', worktree.branch)).toBe(before);
  });

  it('links, pipes and other stores that the agent leaves in its own are not followed', async ({ skip }) => {
    const { main, worktree, store, agent, git } = await sandboxedWork(skip);
    const outside = join(main, '../outside');
    sh(join(main, '..'), 'init', '-q', outside);
    write(outside, { 'secret.txt': 'secret\n' });
    sh(outside, 'add', '.');
    sh(outside, 'commit', '-qm', 'secret');
    const secret = sh(outside, 'rev-parse', 'HEAD');
    agent(`
      cd "$(git rev-parse --git-path objects)"
      rm -rf info pack; ln -s '${outside}' pack; ln -s '${outside}/.git' info
      echo ${secret} > "$(dirname "$PWD")/refs/heads/${worktree.branch}"`);
    expect(await refusal(receiveWork(worktree.path))).toMatchObject({ type: 'tampered' });
    writeFileSync(join(outside, '.git/alternates'), 'mine\n');
    agent(`echo '${outside}/.git/objects' >> "$(git rev-parse --git-path objects)/info/alternates"`);
    expect(readFileSync(join(outside, '.git/alternates'), 'utf8')).toBe('mine\n');
    agent(`echo ${secret} > "$(git rev-parse --git-path refs/heads/${worktree.branch})"`);
    expect(await refusal(receiveWork(worktree.path))).toMatchObject({ type: 'tampered' });
    expect(() => git('cat-file', '-e', secret)).toThrow();
    expect(existsSync(store.objects)).toBe(true);
  });

  it('what an agent committed is there after SIGKILL at each step of the transfer, or in the middle of its commit', async ({
    skip,
  }) => {
    const { main, home, worktree, agent, git } = await sandboxedWork(skip);
    const program = await bundledProgram(join(import.meta.dirname, '../support/program.ts'));
    for (const point of ['receive.stored', 'receive.indexed']) {
      const tip = agent(`echo ${point} > ${point}; git add .; git commit -qm ${point}; git rev-parse HEAD`);
      const killed = await ended(start(program.file, ['receive', main, home, '1'], { crashAt: point }));
      expect(killed.signal, point).toBe('SIGKILL');
      expect(git('rev-parse', worktree.branch)).not.toBe(tip);
      await receiveWork(worktree.path, 'login');
      expect(git('rev-parse', worktree.branch)).toBe(tip);
      expect(sh(worktree.path, 'status', '--porcelain')).toBe('');
    }
    agent('echo half > half.txt; git add .; touch "$(git rev-parse --git-dir)/index.lock"; kill -9 $$');
    await receiveWork(worktree.path, 'login');
    expect(agent('git add half.txt && git commit -qm Half && git ls-tree --name-only HEAD')).toContain(
      'half.txt',
    );
  }, 60_000);
});

import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitAll } from '../../../src/git/commit.ts';
import { seenContent } from '../../../src/work/gates/seen-content.ts';
import { joinProject } from '../../../src/work/projects/join-project.ts';
import { mergeFeature } from '../../../src/work/worktrees/exchange/merge-feature.ts';
import { publishFeature } from '../../../src/work/worktrees/exchange/publish-feature.ts';
import { pushWork } from '../../../src/work/worktrees/exchange/push-work.ts';
import type { RemoteContext } from '../../../src/work/worktrees/exchange/remote-context.ts';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { type OpenWorktree, openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { longTest } from '../../support/long-test.ts';
import { commit, loginPhase, sh, write } from '../support/repository.ts';
import { sharedRepository } from '../support/shared-repository.ts';

async function worked(
  context: RemoteContext,
  phase: string,
  files: Record<string, string>,
): Promise<OpenWorktree> {
  const worktree = await openWorktree(context, loginPhase(phase));
  write(worktree.path, files);
  await commitAll(worktree.path, `phase ${phase}`);
  return worktree;
}

const at = (folder: string, revision: string) => sh(folder, 'rev-parse', revision);

describe('clones that exchange their commits through a remote', () => {
  longTest(
    'TEAM-1 a phase begins with what another clone merged, and both local feature branches follow the remote',
    async () => {
      const { remote, one, two } = await sharedRepository();
      const here = await one.at(1);
      const first = await worked(here, '1', { 'b.txt': 'b\n' });
      const merged = await mergeWorktree(here, first);
      expect(at(remote, 'login')).toBe(merged.commit);
      expect(at(one.folder, 'login')).toBe(merged.commit);
      expect(at(remote, first.branch)).toBe(at(first.path, 'HEAD'));
      expect(sh(remote, 'for-each-ref', 'refs/fermata')).toBe('');

      const there = await two.at(2);
      const second = await openWorktree(there, loginPhase('2'));
      expect(readFileSync(join(second.path, 'b.txt'), 'utf8')).toBe('b\n');
      expect(at(two.folder, 'login')).toBe(merged.commit);
      expect(existsSync(join(two.folder, 'b.txt'))).toBe(true);
    },
  );

  longTest(
    'TEAM-1 if somebody else merged first, the merge is refused until the work was checked with theirs',
    async () => {
      const { remote, one, two } = await sharedRepository();
      const [here, there] = [await one.at(1), await two.at(2)];
      const first = await worked(here, '1', { 'b.txt': 'b\n' });
      const second = await worked(there, '2', { 'c.txt': 'c\n' });
      const checkedWith = await mergeFeature(there, second);
      await mergeWorktree(here, first);
      expect(await refusal(mergeWorktree(there, second, { checkedWith }))).toMatchObject({
        type: 'feature_moved',
      });
      expect(existsSync(join(second.path, 'b.txt'))).toBe(false);
      const again = await mergeFeature(there, second);
      expect(existsSync(join(second.path, 'b.txt'))).toBe(true);
      const { commit: merge } = await mergeWorktree(there, second, { checkedWith: again });
      expect(at(remote, 'login')).toBe(merge);
      expect(at(remote, 'login^1')).toBe(again);
      expect(at(remote, 'login^{tree}')).toBe(at(second.path, 'HEAD^{tree}'));
      expect((await there.ledger.worktrees.list('p-shop')).map(({ state }) => state)).toEqual([
        'merged',
        'merged',
      ]);
    },
  );

  longTest(
    'TEAM-1 a person’s test stays valid when the work of others is merged into it, and only then',
    async () => {
      const { one, two } = await sharedRepository();
      const [here, there] = [await one.at(1), await two.at(2)];
      const second = await worked(there, '2', { 'c.txt': 'c\n' });
      const before = await seenContent(second, 'committed');
      await mergeWorktree(here, await worked(here, '1', { 'b.txt': 'b\n' }));
      await mergeFeature(there, second);
      expect(existsSync(join(second.path, 'b.txt'))).toBe(true);
      expect(await seenContent(second, 'committed')).toBe(before);
      expect(await seenContent(second, 'files')).toBe(before);
      write(second.path, { 'b.txt': 'changed\n' });
      sh(second.path, 'commit', '-q', '--all', '--amend', '--no-edit');
      expect(await seenContent(second, 'committed'), 'a merge with a change in it').not.toBe(before);
    },
  );

  longTest(
    'TEAM-1 a conflict with the work of another clone is reported with the files, and nothing is merged',
    async () => {
      const { one, two } = await sharedRepository();
      const [here, there] = [await one.at(1), await two.at(2)];
      const first = await worked(here, '1', { 'a.txt': 'mine\n' });
      const second = await worked(there, '2', { 'a.txt': 'theirs\n' });
      await mergeWorktree(here, first);
      expect(await refusal(mergeFeature(there, second))).toMatchObject({
        type: 'merge_conflict',
        message: expect.stringContaining('a.txt'),
      });
      expect(readFileSync(join(second.path, 'a.txt'), 'utf8')).toBe('theirs\n');
    },
  );

  it('TEAM-1 another machine continues from the pushed work, and the push and merge of the previous one are refused', async () => {
    const { remote, one, two } = await sharedRepository();
    const here = await one.at(1);
    const worktree = await worked(here, '1', { 'b.txt': 'so far\n' });
    await pushWork({ ...here, fence: 1 }, worktree.branch);
    const there = await two.at(2);
    const taken = await openWorktree(there, loginPhase('1'));
    expect(readFileSync(join(taken.path, 'b.txt'), 'utf8')).toBe('so far\n');

    write(worktree.path, { 'late.txt': 'late\n' });
    await commitAll(worktree.path, 'late');
    for (const attempt of [pushWork({ ...here, fence: 1 }, worktree.branch), mergeWorktree(here, worktree)])
      expect(await refusal(attempt)).toMatchObject({ code: 'stale' });
    expect(at(remote, 'login')).toBe(at(remote, 'main'));

    write(taken.path, { 'b.txt': 'done\n' });
    await commitAll(taken.path, 'done');
    await mergeWorktree(there, taken);
    expect(sh(remote, 'ls-tree', '--name-only', 'login').split('\n')).toEqual(['a.txt', 'b.txt']);

    const back = await one.at(3);
    const told: string[] = [];
    const again = await openWorktree({ ...back, tell: (text) => told.push(text) }, loginPhase('1'));
    expect(readFileSync(join(again.path, 'b.txt'), 'utf8')).toBe('done\n');
    expect(existsSync(join(again.path, 'late.txt'))).toBe(false);
    expect(told.join()).toContain(`archive/${worktree.branch}`);
    expect(sh(one.folder, 'show', `archive/${worktree.branch}:late.txt`)).toBe('late');
  });

  longTest(
    "TEAM-1 another machine's work is taken over even if somebody fetched it before, and rewritten work of this clone stays",
    async () => {
      const { remote, one, two } = await sharedRepository();
      const here = { ...(await one.at(1)), fence: 1 };
      const worktree = await worked(here, '1', { 'b.txt': 'so far\n' });
      await pushWork(here, worktree.branch);
      const there = { ...(await two.at(2)), fence: 2 };
      const taken = await worked(there, '1', { 'b.txt': 'further\n' });
      await pushWork(there, taken.branch);

      sh(one.folder, 'fetch', '-q', 'origin');
      const back = { ...(await one.at(3)), fence: 3 };
      const again = await openWorktree(back, loginPhase('1'));
      expect(readFileSync(join(again.path, 'b.txt'), 'utf8')).toBe('further\n');

      write(again.path, { 'b.txt': 'mine\n' });
      await commitAll(again.path, 'mine');
      await pushWork(back, again.branch);
      sh(again.path, 'commit', '-q', '--amend', '-m', 'mine, in other words');
      const rewritten = at(again.path, 'HEAD');
      await openWorktree(back, loginPhase('1'));
      expect(at(one.folder, again.branch)).toBe(rewritten);
      await pushWork(back, again.branch);
      expect(at(remote, again.branch)).toBe(rewritten);
    },
  );

  longTest('TEAM-1 a person cannot merge a phase without the work that another machine pushed', async () => {
    const { remote, one, two } = await sharedRepository();
    const here = await one.at();
    const worktree = await worked(here, '1', { 'b.txt': 'b\n' });
    const there = { ...(await two.at(2)), fence: 2 };
    const taken = await worked(there, '1', { 'c.txt': 'c\n' });
    await pushWork(there, taken.branch);
    const pushed = at(remote, taken.branch);
    expect(await refusal(mergeWorktree(here, worktree))).toMatchObject({ type: 'diverged' });
    expect([at(remote, 'login'), at(remote, taken.branch)]).toEqual([at(remote, 'main'), pushed]);
    sh(worktree.path, 'merge', '-q', '-m', 'theirs', pushed);
    await mergeWorktree(here, worktree);
    expect(sh(remote, 'ls-tree', '--name-only', 'login').split('\n')).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  longTest(
    'TEAM-1 a remote that rejects pushes, lacks the feature branch, or was rewritten gets its own message, and nothing is lost',
    async () => {
      const { remote, one, two } = await sharedRepository();
      const here = await one.at(1);
      const first = await worked(here, '1', { 'b.txt': 'b\n' });
      const hook = join(remote, 'hooks/pre-receive');
      write(remote, { 'hooks/pre-receive': '#!/bin/sh\necho "no pushes on Fridays" >&2\nexit 1\n' });
      chmodSync(hook, 0o755);
      const before = at(one.folder, 'login');
      expect(await refusal(mergeWorktree(here, first))).toMatchObject({
        type: 'push_rejected',
        message: expect.stringContaining('no pushes on Fridays'),
      });
      expect([at(one.folder, 'login'), at(remote, 'login')]).toEqual([before, before]);
      writeFileSync(hook, '#!/bin/sh\nexit 0\n');
      await mergeWorktree(here, first);

      const there = await two.at(2);
      sh(remote, 'update-ref', 'refs/heads/login', 'refs/heads/main');
      const attempts = [() => openWorktree(there, loginPhase('2')), () => publishFeature(there, 'login')];
      for (const attempt of attempts)
        expect(await refusal(attempt())).toMatchObject({
          type: 'feature_rewritten',
          message: expect.stringContaining('no longer contains phase 1'),
        });
      sh(remote, 'update-ref', '-d', 'refs/heads/login');
      expect(await refusal(publishFeature(there, 'login'))).toMatchObject({
        type: 'no_feature_branch',
        message: expect.stringContaining('no longer has the branch login'),
      });
      expect(sh(remote, 'branch', '--list', 'login')).toBe('');
      expect(sh(first.path, 'show', 'HEAD:b.txt')).toBe('b');
    },
  );

  it("TEAM-1 a run begins with the person's own commits at the remote; commits on both sides are refused", async () => {
    const { remote, one, two } = await sharedRepository();
    const here = await one.at();
    const plan = commit(one.folder, 'a plan', { 'plan.md': 'plan\n' });
    await publishFeature(here, 'login');
    expect(at(remote, 'login')).toBe(plan);
    await publishFeature(here, 'new');
    expect(at(remote, 'new')).toBe(plan);
    commit(two.folder, 'another', { 'other.md': 'other\n' });
    expect(await refusal(publishFeature(await two.at(), 'login'))).toMatchObject({ type: 'diverged' });
  });

  longTest(
    'TEAM-1 uncommitted work in the way is kept, and the run continues with what the remote has',
    async () => {
      const { one, two } = await sharedRepository();
      const here = await one.at(1);
      await mergeWorktree(here, await worked(here, '1', { 'a.txt': 'merged\n' }));
      write(two.folder, { 'a.txt': 'of the person\n' });
      const told: string[] = [];
      const there = { ...(await two.at(2)), tell: (text: string) => told.push(text) };
      const second = await openWorktree(there, loginPhase('2'));
      expect(readFileSync(join(second.path, 'a.txt'), 'utf8')).toBe('merged\n');
      expect(readFileSync(join(two.folder, 'a.txt'), 'utf8')).toBe('of the person\n');
      expect(told.join()).toContain('your checkout was not updated');
    },
  );

  it('TEAM-1 a repository that was cloned again into its folder replaces the earlier clone', async () => {
    const { one, ledger } = await sharedRepository();
    const alone = { ...(await one.at()), remoteSettings: { wanted: 'none', isShared: false } };
    rmSync(join(one.folder, '.git/fermata-clone'));
    await joinProject(alone);
    expect(await ledger.clones.list('p-shop')).toHaveLength(1);
  });

  it('TEAM-1 a remote that the repository does not have is refused', async () => {
    const { one } = await sharedRepository();
    const context = await one.at();
    const wanted = { ...context.remoteSettings, wanted: 'upstream' };
    expect(await refusal(joinProject({ ...context, remoteSettings: wanted }))).toMatchObject({
      type: 'no_remote',
    });
  });

  it('BIND-21 a shallow clone joins, and its work is merged with that of others', async () => {
    const { remote, one, ledger } = await sharedRepository();
    const here = await one.at(1);
    const [known] = await ledger.clones.list('p-shop');
    commit(one.folder, 'more', { 'more.txt': 'more\n' });
    sh(one.folder, 'push', '-q', 'origin', 'login');
    const shallow = join(remote, '../shallow');
    sh(remote, 'clone', '-q', '--depth', '1', '--branch', 'login', `file://${remote}`, shallow);
    expect(existsSync(join(shallow, '.git/shallow'))).toBe(true);
    const own = { ...here, top: shallow, commonDir: join(shallow, '.git'), fence: 2 };
    const there = (await joinProject(own)) as RemoteContext;
    const clones = await ledger.clones.list('p-shop');
    expect(clones.map(({ roots }) => roots)).toEqual([known?.roots, known?.roots]);
    const mine = await worked(there, '2', { 'c.txt': 'c\n' });
    await mergeWorktree(here, await worked(here, '1', { 'b.txt': 'b\n' }));
    const checkedWith = await mergeFeature(there, mine);
    const { commit: merge } = await mergeWorktree(there, mine, { checkedWith });
    expect(at(remote, 'login')).toBe(merge);
    expect(sh(remote, 'ls-tree', '--name-only', 'login').split('\n')).toEqual([
      'a.txt',
      'b.txt',
      'c.txt',
      'more.txt',
    ]);
  });
});

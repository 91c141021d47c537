import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { commitAll, commitTracked } from '../../src/git/commit.ts';
import { writeCommit } from '../../src/git/merge-tree.ts';
import { checkoutStatus } from '../../src/git/status.ts';
import { commit, freshPlace, initRepository, sh, write } from '../work/support/repository.ts';

/** A repository in which git knows nobody who could commit. */
function repositoryOfNobody(): string {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = freshPlace();
  initRepository(folder);
  sh(folder, 'config', 'user.useConfigOnly', 'true');
  commit(folder, 'first', { 'a.txt': 'a\n', 'b c.txt': 'b\n' });
  return folder;
}

describe('committing', () => {
  it('RUN-1 is done as Fermata if git knows nobody, and as the person otherwise', async () => {
    const folder = repositoryOfNobody();
    write(folder, { 'a.txt': 'changed\n' });
    expect(await commitAll(folder, 'work')).toBe(true);
    const [first, second] = [sh(folder, 'rev-parse', 'HEAD~1'), sh(folder, 'rev-parse', 'HEAD')];
    const tree = sh(folder, 'rev-parse', `${second}^{tree}`);
    const merged = await writeCommit(folder, { tree, parents: [second, first], message: 'merge\n' });
    const people = (revision: string) => sh(folder, 'log', '-1', '--format=%an <%ae> %cn <%ce>', revision);
    const fermata = 'Fermata <fermata@localhost>';
    expect([people(second), people(merged)]).toEqual([`${fermata} ${fermata}`, `${fermata} ${fermata}`]);
    sh(folder, 'config', 'user.name', 'Bea');
    sh(folder, 'config', 'user.email', 'bea@example.org');
    write(folder, { 'a.txt': 'again\n' });
    await commitAll(folder, 'more');
    expect(people('HEAD')).toBe('Bea <bea@example.org> Bea <bea@example.org>');
  });

  it('RUN-1 is not done if the staged change was reverted in the file', async () => {
    const folder = repositoryOfNobody();
    write(folder, { 'a.txt': 'changed\n' });
    sh(folder, 'add', '-A');
    write(folder, { 'a.txt': 'a\n' });
    expect(await commitAll(folder, 'work')).toBe(false);
    expect(sh(folder, 'status', '--porcelain')).toBe('');
  });

  it('RUN-1 of tracked files names the commit that has all of them', async () => {
    const folder = repositoryOfNobody();
    const head = () => sh(folder, 'rev-parse', 'HEAD');
    write(folder, { 'new.txt': 'new\n' });
    const first = head();
    expect(await commitTracked(folder, 'nothing')).toBe(first);
    write(folder, { 'b c.txt': 'changed\n' });
    expect(await commitTracked(folder, 'more')).toBe(head());
    expect(head()).not.toBe(first);
    expect(await checkoutStatus(folder)).toEqual({
      commit: head(),
      branch: 'main',
      changed: [],
      untracked: ['new.txt'],
      attributes: [],
    });
  });
});

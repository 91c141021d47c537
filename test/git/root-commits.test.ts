import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { requireGenuine, rootCommits } from '../../src/git/clone.ts';
import { refusal } from '../ledger/support/ask.ts';
import { commit, freshPlace, initRepository, sh, write } from '../work/support/repository.ts';

/** A repository with three commits at a remote, and its first commit. */
function withRemote() {
  const place = freshPlace();
  const [origin, remote] = [join(place, 'origin'), join(place, 'shop.git')];
  initRepository(origin);
  const root = commit(origin, 'first', { 'a.txt': 'a\n' });
  commit(origin, 'second', { 'a.txt': 'b\n' });
  commit(origin, 'third', { 'a.txt': 'c\n' });
  sh(place, 'clone', '-q', '--bare', origin, remote);
  return { place, origin, remote, root };
}

const rootsOf = (folder: string, address?: string) =>
  rootCommits(folder, join(folder, '.git'), address === undefined ? undefined : { name: 'origin', address });

describe('the first commits of a clone', () => {
  it('BIND-21 a shallow clone asks its remote for them, and leaves nothing in the clone', async () => {
    const { place, remote, root } = withRemote();
    const clone = join(place, 'shallow');
    sh(place, 'clone', '-q', '--depth=1', `file://${remote}`, clone);
    const before = sh(clone, 'count-objects', '-v');
    expect(await rootsOf(clone, remote)).toEqual([root]);
    expect(sh(clone, 'count-objects', '-v')).toBe(before);
    expect(existsSync(join(clone, '.git/shallow'))).toBe(true);
  });

  it('BIND-21 a shallow clone of something that the remote does not have gets no first commit from it', async () => {
    const { place, remote } = withRemote();
    const [other, clone] = [join(place, 'other'), join(place, 'shallow')];
    initRepository(other);
    commit(other, 'evil', { 'a.txt': 'a\n' });
    commit(other, 'worse', { 'a.txt': 'b\n' });
    sh(place, 'clone', '-q', '--depth=1', `file://${other}`, clone);
    expect(await refusal(rootsOf(clone, remote))).toMatchObject({ type: 'shallow', code: 'invalid' });
    expect(await refusal(rootsOf(clone))).toMatchObject({ type: 'shallow' });
  });

  it('BIND-21 a graft, a replaced commit and an invented end of the history do not change them', async () => {
    const { place, remote, root } = withRemote();
    const other = join(place, 'other');
    initRepository(other);
    const own = commit(other, 'evil', { 'a.txt': 'evil\n' });
    sh(other, 'fetch', '-q', remote, 'HEAD');
    mkdirSync(join(other, '.git/info'), { recursive: true });
    writeFileSync(join(other, '.git/info/grafts'), `${own} ${root}\n`);
    sh(other, 'replace', '--graft', own, root);
    expect(await rootsOf(other, remote)).toEqual([own]);
    writeFileSync(join(other, '.git/shallow'), `${own}\n`);
    expect(await refusal(rootsOf(other, remote))).toMatchObject({ type: 'shallow' });
  });

  it('BIND-21 a commit that only has the name of another one is not its first commit', async () => {
    const { place, origin, root } = withRemote();
    const other = join(place, 'other');
    initRepository(other);
    const own = commit(other, 'evil', { 'a.txt': 'evil\n' });
    const path = (id: string) => join(other, '.git/objects', id.slice(0, 2), id.slice(2));
    mkdirSync(dirname(path(root)), { recursive: true });
    const tree = sh(other, 'rev-parse', `${own}^{tree}`);
    const content = `tree ${tree}\nauthor Eve <e@x> 1 +0000\ncommitter Eve <e@x> 1 +0000\n\nforged\n`;
    writeFileSync(path(root), deflateSync(`commit ${content.length}\0${content}`));
    write(other, { 'a.txt': 'more\n' });
    const tip = sh(other, 'commit-tree', '-p', root, '-m', 'more', tree);
    sh(other, 'reset', '-q', '--hard', tip);
    const checked = async (folder: string) => requireGenuine(join(folder, '.git'), await rootsOf(folder));
    await expect(checked(other)).rejects.toThrow(root);
    await checked(origin);
  });

  it('BIND-21 a repository with two first commits has both, and one without commits none', async () => {
    const { place, origin, root } = withRemote();
    const [other, empty] = [join(place, 'other'), join(place, 'empty')];
    initRepository(other);
    const own = commit(other, 'own', { 'b.txt': 'b\n' });
    sh(other, 'fetch', '-q', origin, 'HEAD');
    sh(other, 'merge', '-q', '--allow-unrelated-histories', '-m', 'both', 'FETCH_HEAD');
    expect((await rootsOf(other)).sort()).toEqual([own, root].sort());
    initRepository(empty);
    expect(await rootsOf(empty)).toEqual([]);
  });
});

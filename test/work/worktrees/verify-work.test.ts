import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mergeWorktree } from '../../../src/work/worktrees/merge-worktree.ts';
import { openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { verifyCheckout } from '../../../src/work/worktrees/verify-work.ts';
import { refusal } from '../../ledger/support/ask.ts';
import { commit, freshRepository, loginPhase, sh } from '../support/repository.ts';

const objectPath = (repository: string, id: string) =>
  join(repository, '.git/objects', id.slice(0, 2), id.slice(2));

/** Stores a file's content under the id of another one, as anyone who may write to the repository can. */
function forge(repository: string, id: string, text: string, type = 'blob'): void {
  const path = objectPath(repository, id);
  mkdirSync(join(path, '..'), { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, deflateSync(`${type} ${Buffer.byteLength(text)}\0${text}`));
}

async function withWork(files: Record<string, string> = { 'tool.sh': 'echo harmless\n' }) {
  const repository = await freshRepository();
  const { main, worktreeContext } = repository;
  const worktree = await openWorktree(worktreeContext, loginPhase('1'));
  const tip = commit(worktree.path, 'work', files);
  const idOf = (name: string) => sh(main, 'rev-parse', name);
  const refused = async (id: string, path: string | null) => {
    const before = idOf('login');
    const attempts = [
      () => verifyCheckout(worktreeContext, worktree.path),
      () => mergeWorktree(worktreeContext, worktree),
    ];
    for (const attempt of attempts)
      expect(await refusal(attempt())).toMatchObject({
        type: 'tampered',
        message: expect.stringContaining(id),
        details: { object: id, path },
      });
    expect(idOf('login')).toBe(before);
  };
  return { ...repository, worktree, tip, idOf, refused };
}

describe('BIND-19 work of an agent without a sandbox', () => {
  it('is merged if each object is what its id says', async () => {
    const { worktreeContext, worktree, main } = await withWork();
    await verifyCheckout(worktreeContext, worktree.path);
    await mergeWorktree(worktreeContext, worktree);
    expect(readFileSync(join(main, 'tool.sh'), 'utf8')).toBe('echo harmless\n');
  });

  it('is refused if a committed file has other content than was tested (F2)', async () => {
    const { main, worktree, idOf, refused } = await withWork();
    const id = idOf(`${worktree.branch}:tool.sh`);
    forge(main, id, 'echo EVIL\n');
    await refused(id, 'tool.sh');
    expect(existsSync(join(main, 'tool.sh'))).toBe(false);
  });

  it('is refused if a file that it did not touch was replaced under its id (F2)', async () => {
    const { main, idOf, refused } = await withWork();
    const id = idOf('login:dir with space/ü.txt');
    forge(main, id, 'POISONED\n');
    await refused(id, 'dir with space/ü.txt');
  });

  it('is refused if its commit or a folder in it was replaced', async () => {
    const { main, worktreeContext, worktree, tip, idOf } = await withWork({ 'sub/a.txt': 'a\n' });
    const other = sh(main, 'cat-file', 'commit', tip).replace('work', 'evil');
    const own = readFileSync(objectPath(main, tip));
    forge(main, tip, `${other}\n`, 'commit');
    expect(await refusal(verifyCheckout(worktreeContext, worktree.path))).toMatchObject({
      type: 'tampered',
      details: { object: tip },
    });
    await refusal(mergeWorktree(worktreeContext, worktree));
    chmodSync(objectPath(main, tip), 0o644);
    writeFileSync(objectPath(main, tip), own);
    const tree = idOf(`${worktree.branch}:sub`);
    const bytes = inflateSync(readFileSync(objectPath(main, tree)));
    const forged = bytes.toString('latin1').replace('a.txt', 'b.txt');
    rmSync(objectPath(main, tree));
    writeFileSync(objectPath(main, tree), deflateSync(Buffer.from(forged, 'latin1')));
    expect(await refusal(verifyCheckout(worktreeContext, worktree.path))).toMatchObject({
      type: 'tampered',
      details: { object: tree, path: 'sub' },
    });
  });

  it('is refused if an object is in a pack whose index gives it another name', async () => {
    const { main, worktree, idOf, refused } = await withWork();
    const id = idOf(`${worktree.branch}:tool.sh`);
    const other = sh(main, 'hash-object', '-w', join(main, 'a.txt'));
    const objects = join(main, '.git/objects');
    const path = join(objects, `pack/pack-${packOf(main, other)}.idx`);
    const index = readFileSync(path);
    chmodSync(path, 0o644);
    writeFileSync(path, renamed(index, other, id));
    rmSync(objectPath(main, id));
    expect(sh(main, 'cat-file', 'blob', id)).toBe('one\ntwo\nthree');
    await refused(id, 'tool.sh');
  });

  it('is refused if git finds what the merge should write, with other content', async () => {
    const { main, worktreeContext, worktree, idOf } = await withWork({ 'a.txt': 'ONE\ntwo\nthree\n' });
    commit(main, 'theirs', { 'a.txt': 'one\ntwo\nTHREE\n' });
    const merged = join(main, '../merged');
    writeFileSync(merged, 'ONE\ntwo\nTHREE\n');
    const id = sh(main, 'hash-object', merged);
    const before = idOf('login');
    forge(main, id, 'EVIL\n');
    await verifyCheckout(worktreeContext, worktree.path);
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({
      type: 'tampered',
      details: { object: id, path: 'a.txt' },
    });
    expect(idOf('login')).toBe(before);
  });

  it('is refused if the common ancestor that the merge compares with was replaced', async () => {
    const { main, worktreeContext, worktree, idOf } = await withWork({ 'b.txt': 'b\n' });
    const id = idOf('login:a.txt');
    commit(main, 'theirs', { 'a.txt': 'one\ntwo\nTHREE\n' });
    commit(worktree.path, 'mine', { 'a.txt': 'one\ntwo\nthree\nfour\n' });
    forge(main, id, 'one\ntwo\nTHREE\n');
    expect(await refusal(mergeWorktree(worktreeContext, worktree))).toMatchObject({
      type: 'tampered',
      details: { object: id, path: 'a.txt' },
    });
  });

  it('is refused with the name of an object that is missing', async () => {
    const { main, worktree, idOf, refused } = await withWork();
    const id = idOf(`${worktree.branch}:tool.sh`);
    rmSync(objectPath(main, id));
    await refused(id, null);
  });
});

/** Packs one object, and returns the name of the pack. */
function packOf(repository: string, id: string): string {
  writeFileSync(join(repository, '../ids'), `${id}\n`);
  return sh(
    repository,
    '-c',
    `alias.p=!git pack-objects -q .git/objects/pack/pack < '${join(repository, '../ids')}'`,
    'p',
  );
}

/** The index of a pack with one object, under another id. */
function renamed(index: Buffer, id: string, to: string): Buffer {
  const bytes = Buffer.from(index);
  bytes.set(Buffer.from(to, 'hex'), bytes.indexOf(Buffer.from(id, 'hex')));
  const first = Number.parseInt(to.slice(0, 2), 16);
  for (let at = 0; at < 256; at++) bytes.writeUInt32BE(at >= first ? 1 : 0, 8 + at * 4);
  return bytes;
}

import { appendFileSync, chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readRemote, shownAddress } from '../../src/git/remote/address.ts';
import { openRepository } from '../../src/git/remote/open-repository.ts';
import { remoteGit } from '../../src/git/remote/remote-git.ts';
import { fetchRefs, listRemoteRefs, pushRefs } from '../../src/git/remote/remote-refs.ts';
import { openWorktree } from '../../src/work/worktrees/open-worktree.ts';
import { refusal } from '../ledger/support/ask.ts';
import { commit, loginPhase, sh } from '../work/support/repository.ts';
import { sharedRepository } from '../work/support/shared-repository.ts';
import { hookNames, hostileConfig, setTrap } from '../work/support/trap.ts';

const HEADS = ['refs/heads/login', 'refs/heads/main'];

describe('git with a remote', () => {
  it('TEAM-1 BIND-13 the repository’s configuration does not affect a fetch or a push', async () => {
    const { remote, one, two } = await sharedRepository();
    const trap = setTrap();
    const dir = join(one.folder, '.git');
    const theirs = commit(two.folder, 'theirs', { 'b.txt': 'b\n' });
    sh(two.folder, 'push', '-q', 'origin', 'login');
    appendFileSync(
      join(dir, 'config'),
      `${hostileConfig(trap).replace(/\turl = .*\n/, '')}
[url "${remote}-elsewhere"]
	insteadOf = ${remote}
	pushInsteadOf = ${remote}
[remote "origin"]
	pushurl = ${remote}-elsewhere
	proxy = http://127.0.0.1:9
	vcs = trap
[http]
	proxy = http://127.0.0.1:9
`,
    );
    mkdirSync(join(dir, 'hooks'), { recursive: true });
    for (const name of hookNames) {
      writeFileSync(join(dir, 'hooks', name), `#!/bin/sh\nexec ${trap.program}\n`);
      chmodSync(join(dir, 'hooks', name), 0o755);
    }
    const origin = { name: 'origin', address: remote };
    expect(await readRemote(dir, 'origin')).toEqual(origin);
    expect((await fetchRefs(dir, origin, HEADS)).get('refs/heads/login')).toBe(theirs);
    const updates = [{ ref: 'refs/heads/new', from: undefined, to: theirs }];
    expect(await pushRefs(dir, origin, updates)).toBe(true);
    expect(sh(remote, 'rev-parse', 'new')).toBe(theirs);
    expect(trap.marks()).toEqual([]);
  });

  it("TEAM-1 the person's own configuration applies, with its credentials and URL rewrites", async () => {
    const { remote, one } = await sharedRepository();
    const own = join(one.folder, '../own-gitconfig');
    writeFileSync(
      own,
      `[url "${remote}"]\n\tinsteadOf = https://git.example.org/shop\n[credential]\n\thelper = mine\n`,
    );
    vi.stubEnv('GIT_CONFIG_GLOBAL', own);
    onTestFinished(() => void vi.unstubAllEnvs());
    const dir = join(one.folder, '.git');
    sh(one.folder, 'config', 'credential.helper', 'theirs');
    const origin = { name: 'origin', address: 'https://git.example.org/shop' };
    expect((await listRemoteRefs(dir, origin, HEADS)).size).toBe(2);
    const helpers = await remoteGit(dir, (run) => run(['config', '--get-all', 'credential.helper']));
    expect(helpers.stdout.trim()).toBe('mine');
  });

  it('TEAM-1 an address that starts a program, or that changed meanwhile, is refused', async () => {
    const { remote, one } = await sharedRepository();
    const dir = join(one.folder, '.git');
    const here = await one.at(1);
    for (const address of ['ext::sh -c touch% /tmp/x', '-upload-pack=x', 'foo::bar', 'ftp://example.org/x']) {
      sh(one.folder, 'config', 'remote.origin.url', address);
      expect(await refusal(readRemote(dir, 'origin'))).toMatchObject({ type: 'invalid_remote' });
      const direct = { name: 'origin', address };
      expect(await refusal(listRemoteRefs(dir, direct, HEADS))).toBeDefined();
      const clone = openRepository(join(one.folder, '../clone'), direct, ['main']);
      expect(await refusal(clone)).toMatchObject({ type: 'invalid_remote' });
    }
    sh(one.folder, 'clone', '-q', '--bare', remote, `${remote}-elsewhere`);
    sh(one.folder, 'config', 'remote.origin.url', `${remote}-elsewhere`);
    expect(await refusal(openWorktree(here, loginPhase('1')))).toMatchObject({
      type: 'remote_changed',
      message: expect.stringContaining('-elsewhere'),
    });
    expect(sh(`${remote}-elsewhere`, 'for-each-ref')).toBe(sh(remote, 'for-each-ref'));
    sh(one.folder, 'config', 'remote.origin.url', '../shop.git');
    expect(await readRemote(dir, 'origin')).toEqual({ name: 'origin', address: remote });
  });

  it.each([
    ['https://ann:secret@git.example.org/shop', 'https://git.example.org/shop'],
    ['https://ann:se@cr@et@git.example.org/shop', 'https://git.example.org/shop'],
    ['https://git.example.org/shop/@1', 'https://git.example.org/shop/@1'],
    ['ssh://git:secret@git.example.org/shop', 'ssh://git@git.example.org/shop'],
    ['ssh://git@git.example.org/shop', 'ssh://git@git.example.org/shop'],
    ['git@git.example.org:shop', 'git@git.example.org:shop'],
  ])('TEAM-1 %s is shown without its password', (address, shown) => {
    expect(shownAddress({ address })).toBe(shown);
  });

  it('TEAM-1 an address that is refused is shown without its password', async () => {
    const { one } = await sharedRepository();
    sh(one.folder, 'config', 'remote.origin.url', 'ftp://ann:secret@example.org/x');
    const { message } = await refusal(readRemote(join(one.folder, '.git'), 'origin'));
    expect(message).toContain('"ftp://example.org/x"');
  });

  it('TEAM-1 refs move all at once or not at all, and only from the expected commits', async () => {
    const { remote, one } = await sharedRepository();
    const dir = join(one.folder, '.git');
    const origin = { name: 'origin', address: remote };
    const before = sh(remote, 'rev-parse', 'login');
    const next = commit(one.folder, 'next');
    const stale = [
      { ref: 'refs/heads/login', from: before, to: next },
      { ref: 'refs/fermata/claims/x', from: next, to: undefined },
    ];
    expect(await pushRefs(dir, origin, stale)).toBe(false);
    expect(sh(remote, 'rev-parse', 'login')).toBe(before);
    const both = [
      { ref: 'refs/heads/login', from: before, to: next },
      { ref: 'refs/fermata/claims/x', from: undefined, to: next },
    ];
    expect(await pushRefs(dir, origin, both)).toBe(true);
    expect(await pushRefs(dir, origin, both), 'a push whose answer was lost').toBe(true);
    expect(sh(remote, 'rev-parse', 'login', 'refs/fermata/claims/x').split('\n')).toEqual([next, next]);
  });

  it('TEAM-1 a repository is cloned from its remote into its own folder, and follows it when it is opened again', async () => {
    const { remote, two } = await sharedRepository();
    const origin = { name: 'origin', address: remote };
    const folder = join(remote, '../homes/clone');
    await Promise.all([openRepository(folder, origin, ['login']), openRepository(folder, origin, ['login'])]);
    expect(sh(folder, 'rev-parse', 'HEAD')).toBe(sh(remote, 'rev-parse', 'login'));
    const theirs = commit(two.folder, 'theirs', { 'b.txt': 'b\n' });
    sh(two.folder, 'push', '-q', 'origin', 'login');
    await openRepository(folder, origin, ['login']);
    const login = ['HEAD', 'origin/login', 'login'];
    expect(sh(folder, 'rev-parse', ...login).split('\n')).toEqual([theirs, theirs, theirs]);
    sh(remote, 'branch', 'other', 'main');
    await openRepository(folder, origin, ['other']);
    expect(sh(folder, 'rev-parse', 'other')).toBe(sh(remote, 'rev-parse', 'main'));
    expect(await refusal(openRepository(folder, origin, ['nothing']))).toMatchObject({
      message: expect.stringContaining('no branch nothing'),
    });
    expect(readdirSync(join(remote, '../homes'))).toEqual(['clone']);
  });

  it('TEAM-1 a remote that does not answer times out; one that does not exist gets a different error', async () => {
    const { remote, one } = await sharedRepository();
    const dir = join(one.folder, '.git');
    const silent = await listening(createServer(() => undefined));
    const address = `git://127.0.0.1:${silent}/shop.git`;
    const looking = listRemoteRefs(dir, { name: 'origin', address }, HEADS, { timeoutMs: 300 });
    expect(await refusal(looking)).toMatchObject({ type: 'remote_away', code: 'unavailable' });
    const closed = { name: 'origin', address: 'git://127.0.0.1:1/shop.git' };
    expect(await refusal(listRemoteRefs(dir, closed, HEADS))).toMatchObject({ type: 'remote_away' });
    const gone = { name: 'origin', address: `${remote}-gone` };
    expect(await refusal(listRemoteRefs(dir, gone, HEADS))).toMatchObject({ type: 'remote_missing' });
  });

  it('TEAM-1 a program that ssh leaves behind with git’s pipes does not delay it', async () => {
    const { one } = await sharedRepository();
    vi.stubEnv(
      'GIT_SSH_COMMAND',
      'sh -c "setsid sleep 30 >/dev/null & echo Connection refused >&2; exit 255"',
    );
    onTestFinished(() => void vi.unstubAllEnvs());
    const shared = { name: 'origin', address: 'ssh://git@127.0.0.1/shop' };
    const began = performance.now();
    const looking = listRemoteRefs(join(one.folder, '.git'), shared, HEADS);
    expect(await refusal(looking)).toMatchObject({ type: 'remote_away' });
    expect(performance.now() - began).toBeLessThan(25_000);
  });
});

function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

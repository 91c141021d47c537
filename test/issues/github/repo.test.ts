import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listRemotes } from '../../../src/git/remote/address.ts';
import { detectRepo } from '../../../src/issues/github/read-issues.ts';
import { parseRepo } from '../../../src/issues/github/repo.ts';

function clone(remotes: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-clone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', folder]);
  for (const [name, url] of Object.entries(remotes))
    execFileSync('git', ['remote', 'add', name, url], { cwd: folder });
  return folder;
}

const detectIn = async (folder: string, env: Record<string, string>) =>
  detectRepo(await listRemotes(folder), env);

describe('the repository of a folder', () => {
  it.each([
    ['https://github.com/owner/repo', 'owner/repo'],
    ['https://github.com/owner/repo/', 'owner/repo'],
    ['https://user:secret@github.com/owner/repo.git', 'owner/repo'],
    ['git@github.com:owner/repo.git', 'owner/repo'],
    ['github.com:owner/repo', 'owner/repo'],
    ['ssh://git@github.com/owner/repo.git', 'owner/repo'],
    ['ssh://git@ssh.github.com:443/owner/repo.git', 'owner/repo'],
    ['git://github.com/owner/repo.git', 'owner/repo'],
    ['https://GitHub.com/Owner/Repo', 'Owner/Repo'],
    ['https://github.com/owner/trig', 'owner/trig'],
    ['https://github.com/owner/my.github.io.git', 'owner/my.github.io'],
    ['https://team.ghe.com/owner/repo', 'team.ghe.com/owner/repo'],
    ['https://example.com/github.com/a/b', undefined],
    ['https://github.com.example.com/a/b', undefined],
    ['https://github.example.com/a/b', undefined],
    ['https://github.com/only-owner', undefined],
    ['https://github.com/a/b/c', undefined],
    ['https://github.com/../b', undefined],
    ['../elsewhere', undefined],
  ])('%s is %s (GAP-1)', async (url, expected) => {
    expect(await detectIn(clone({ origin: url }), {})).toBe(expected);
  });

  it('a server of somebody’s own is known by GH_HOST or GITHUB_SERVER_URL (GAP-1)', async () => {
    const folder = clone({ origin: 'git@git.corp.example:team/app.git' });
    expect(await detectIn(folder, {})).toBeUndefined();
    expect(await detectIn(folder, { GH_HOST: 'git.corp.example' })).toBe('team/app');
    expect(await detectIn(folder, { GITHUB_SERVER_URL: 'https://git.corp.example' })).toBe('team/app');
  });

  it('upstream takes precedence over origin; a remote elsewhere is skipped (GAP-1)', async () => {
    const origin = 'https://github.com/me/fork';
    expect(await detectIn(clone({ origin, upstream: 'https://github.com/them/app' }), {})).toBe('them/app');
    expect(await detectIn(clone({ origin: 'https://gitlab.com/a/b', mine: origin }), {})).toBe('me/fork');
  });

  it('a folder without a repository has none (GAP-1)', async () => {
    expect(await detectIn(clone({}), {})).toBeUndefined();
    expect(await detectIn(join(tmpdir(), 'fermata-nowhere'), {})).toBeUndefined();
  });

  it.each(['', 'repo', 'a/b/c/d', '../x', 'a/..', 'a/b c', 'a/b?x', 'https://github.com/a', '-/--json\n/x'])(
    '"%s" is not a repository (GAP-1)',
    (text) => {
      expect(() => parseRepo(text, {})).toThrow('--repo owner/name');
    },
  );

  it('a person may give the address instead (GAP-1)', () => {
    expect(parseRepo('https://github.com/o/r.git', {})).toEqual({
      host: 'github.com',
      owner: 'o',
      name: 'r',
    });
    expect(parseRepo('ghe.example/o/r', {})).toEqual({ host: 'ghe.example', owner: 'o', name: 'r' });
  });
});

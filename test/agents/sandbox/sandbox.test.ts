import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxArguments } from '../../../src/agents/sandbox/arguments.ts';
import { sandboxFolder, sandboxFor } from '../../../src/agents/sandbox/sandbox.ts';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-sandbox-')));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const main = join(place, 'shop');
const worktree = join(place, 'worktree');
const env = { HOME: join(place, 'person'), FERMATA_HOME: join(place, 'home'), FERMATA_SANDBOX: '1' };
const git = (...args: string[]) => execFileSync('git', ['-C', main, ...args], { encoding: 'utf8' });
mkdirSync(main);
git('init', '--quiet', '--initial-branch', 'work');
git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'x');
git('worktree', 'add', '--quiet', '-b', 'mine', worktree);
mkdirSync(env.FERMATA_HOME);
writeFileSync(
  join(env.FERMATA_HOME, 'config.json'),
  JSON.stringify({ sandbox: { read: ['/srv/data'], write: ['~/.claude'] } }),
);

/** What can be seen, in order; `+` for what can be changed. */
function mounts(folder: string, options = {}): string[] {
  const found = sandboxFor(env, folder, options)?.mounts ?? [];
  const installation = [dirname(dirname(process.execPath)), join(import.meta.dirname, '../../..')];
  return found
    .filter(({ path }) => !installation.some((own) => path.startsWith(own)) && !path.startsWith('/run'))
    .map(({ path, writable }) => `${path.replace(place, '')}${writable ? '+' : ''}`);
}

describe('BIND-14 the sandbox', () => {
  it('is created only on request', () => {
    expect(sandboxFor({ ...env, FERMATA_SANDBOX: undefined }, worktree)).toBeUndefined();
  });

  it('shows an agent its worktree, what it needs of git to commit, and what the person lists', () => {
    expect(mounts(worktree, { commits: true, shown: ['/door'] })).toEqual([
      '/person+',
      '/srv/data',
      '/person/.claude+',
      '/worktree+',
      '/door',
      '/shop/.git',
      '/shop/.git/objects+',
      '/shop/.git/refs+',
      '/shop/.git/logs+',
      '/shop/.git/worktrees/worktree+',
    ]);
  });

  it('gives the agent its own home, objects and branches, not the person’s (BIND-19)', () => {
    const found = sandboxFor(env, worktree, { commits: true })?.mounts ?? [];
    const own = sandboxFolder(env, worktree);
    const stand = Object.fromEntries(found.flatMap(({ path, from }) => (from ? [[path, from]] : [])));
    expect(stand).toEqual({
      [env.HOME]: join(own, 'home'),
      '/run/fermata/objects': join(main, '.git/objects'),
      [join(main, '.git/objects')]: join(own, 'objects'),
      [join(main, '.git/refs')]: join(own, 'refs'),
      [join(main, '.git/logs')]: join(own, 'logs'),
      [join(main, '.git/worktrees/worktree')]: join(own, 'git'),
    });
  });

  it('lets gate commands change the worktree, but nothing of git (BIND-19)', () => {
    expect(mounts(worktree).slice(3)).toEqual(['/worktree+', '/shop/.git']);
    expect(mounts(main).slice(3)).toEqual(['/shop+', '/shop/.git']);
  });

  it('shares the network, and neither processes nor anything that is not mounted', () => {
    const sandbox = { bwrap: 'bwrap', temporary: ['/tmp'], mounts: [{ path: '/w', writable: true }] };
    const args = sandboxArguments(sandbox, { program: '/bin/sh', cwd: '/w' });
    expect(args.slice(0, 3)).toEqual(['--unshare-all', '--share-net', '--die-with-parent']);
    expect(args.slice(-8)).toEqual(['--tmpfs', '/tmp', '--bind-try', '/w', '/w', '--chdir', '/w', '--']);
    expect(args.join(' ')).not.toContain('bind / /');
  });
});

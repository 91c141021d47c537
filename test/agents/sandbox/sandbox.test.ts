import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { outsidePath, sandboxArguments } from '../../../src/agents/sandbox/arguments.ts';
import { breachIn, missingSandbox } from '../../../src/agents/sandbox/require-sandbox.ts';
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

/** What can be seen besides the system and our own programs; `+` for what can be changed. */
function mounts(folder: string, options = {}): string[] {
  const found = sandboxFor(env, folder, options)?.mounts ?? [];
  const ours = join(import.meta.dirname, '../../..');
  return found
    .filter(
      ({ path, empty }) => !empty && (path.startsWith(place) || path === '/srv/data' || path === '/door'),
    )
    .filter(({ path }) => !path.startsWith(ours))
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

  it('BIND-18 shows nothing of the system that is not listed: no /etc, /opt, /usr/local or /nix as a whole', () => {
    const shown = sandboxFor(env, worktree)?.mounts.map(({ path }) => path) ?? [];
    expect(shown).toContain('/usr/bin');
    for (const path of [
      '/',
      '/etc',
      '/opt',
      '/usr',
      '/usr/local',
      '/usr/src',
      '/nix',
      '/etc/shadow',
      '/etc/ssl',
      '/etc/ssh',
    ])
      expect(shown).not.toContain(path);
  });

  it('lets a deeper mount win, whatever the order', () => {
    const mounts = [
      { path: '/w/x', from: '/there', writable: true },
      { path: '/w', writable: false },
      { path: '/usr', writable: false },
      { path: '/w/x/y', writable: true, empty: 'folder' as const },
    ];
    const sandbox = { bwrap: 'bwrap', mounts };
    const args = sandboxArguments(sandbox, { program: '/usr/bin/env', cwd: '/w' }).join(' ');
    expect(args).toMatch(
      / --ro-bind-try \/usr \/usr --bind-try \/there \/w\/x --tmpfs \/w\/x\/y --chdir \/w --$/,
    );
    expect(outsidePath(sandbox, '/w/x/z')).toBe('/there/z');
    expect(outsidePath(sandbox, '/w/xz')).toBe('/w/xz');
  });
});

describe('BIND-18 what --sandbox refuses to start with', () => {
  const bwrap = (script: string) => {
    const bin = mkdtempSync(join(place, 'bin-'));
    writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return missingSandbox({ PATH: bin });
  };

  it('a bubblewrap without --disable-userns', () => {
    const missing = bwrap('echo "bwrap: Unknown option --disable-userns" >&2; exit 1');
    expect(missing?.problem).toContain('0.8.0 or newer');
  });

  it('a kernel that refuses', () => {
    const missing = bwrap('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
    expect(missing?.problem).toContain('No permissions to create new namespace');
  });

  it('a bubblewrap that drops nothing', () => {
    const missing = bwrap('while [ "$1" != -- ]; do shift; done; shift; exec "$@"');
    expect(missing?.problem).toContain('does not hold');
  });

  const none = 'CapInh:\t0\nCapPrm:\t0\nCapEff:\t0\nCapBnd:\t0\nCapAmb:\t0\nNoNewPrivs:\t1\n';
  it.each([
    ['none', none, undefined],
    ['a capability', none.replace('CapEff:\t0', 'CapEff:\t0000000000200000'), 'capabilities'],
    ['the right to get one', none.replace('CapBnd:\t0', 'CapBnd:\t000001ffffffffff'), 'capabilities'],
    ['setuid programs', none.replace('NoNewPrivs:\t1', 'NoNewPrivs:\t0'), 'setuid'],
    ['a remount', `${none}it can make read-only folders writable\n`, 'read-only'],
    ['no report', '', 'capabilities'],
  ])('a sandbox with %s', (_, printed, why) => {
    if (why === undefined) expect(breachIn(printed)).toBeUndefined();
    else expect(breachIn(printed)).toContain(why);
  });
});

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxArguments } from '../../../src/agents/sandbox/arguments.ts';
import { sandboxFor } from '../../../src/agents/sandbox/sandbox.ts';
import { onDisk } from '../../support/keep-on-disk.ts';
import { spread } from '../../support/long.ts';
import { type Account, giveAll } from '../../support/postgres-account.ts';
import { reachableRoot } from '../../support/reachable-root.ts';
import { eachUser, skipWithoutSandbox } from '../../support/sandbox.ts';

/** A repository with a worktree below the data folder, as a run has it, all owned by the account. */
function place(account: Account, dataIn?: string) {
  const root = realpathSync(mkdtempSync(join(onDisk(), 'fermata-attack-')));
  const data = dataIn ? realpathSync(mkdtempSync(join(dataIn, 'fermata-attack-'))) : join(root, 'data');
  onTestFinished(() => {
    for (const folder of [root, data]) rmSync(folder, { recursive: true, force: true });
  });
  const main = join(root, 'shop');
  const worktree = join(data, 'projects/shop/worktrees/w');
  const person = join(root, 'person');
  mkdirSync(worktree, { recursive: true });
  for (const folder of [main, person]) mkdirSync(folder);
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', main, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args]);
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '-m', 'x');
  git('worktree', 'add', '--quiet', worktree);
  writeFileSync(join(data, 'token'), 'a token');
  writeFileSync(join(data, 'ledger.db'), 'a ledger');
  writeFileSync(join(person, 'secret'), 'a secret');
  const env: Record<string, string | undefined> = {
    ...process.env,
    HOME: person,
    TMPDIR: undefined,
    FERMATA_HOME: data,
    FERMATA_SANDBOX: '1',
    MAIN: main,
    DATA: data,
    OUTSIDE: String(process.pid),
  };
  const leash = join(reachableRoot(), 'bin/leash.cjs');
  /** Runs a script in the sandbox, as the account; returns what it printed. */
  const run = (script: string, more: Record<string, string> = {}): string => {
    const sandbox = sandboxFor(env, worktree, { commits: true });
    if (!sandbox) throw new Error('there is no sandbox');
    for (const folder of [root, data]) giveAll(folder, account);
    const args = sandboxArguments(sandbox, { program: '/bin/sh', cwd: worktree });
    const command = [process.execPath, leash, sandbox.bwrap, ...args, '/bin/sh', '-c', script];
    // Its caller has left a folder open.
    const { stdout, stderr, status } = spawnSync('bash', ['-c', 'exec 99< /; exec "$@"', '-', ...command], {
      ...account,
      cwd: worktree,
      env: { ...env, ...more },
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(`the script ended with ${status}: ${stderr}`);
    return stdout;
  };
  return { root, data, main, worktree, env, run };
}

/** Prints the name of each attempt that succeeds. A program that is missing cannot succeed. */
const ATTEMPTS = String.raw`
try() { name=$1; shift; if (eval "$*") > /dev/null 2>&1; then echo "$name"; fi; }
try 'works at all' true
for folder in / /usr /usr/bin /etc/ssl/certs "$MAIN/.git" /proc; do
  try "remounts $folder" "mount -o remount,bind,rw '$folder'"
  try "remounts $folder in a namespace" "unshare -Urm mount -o remount,bind,rw '$folder'"
done
try 'mounts' 'mount -t tmpfs none /tmp'
try 'mounts proc anew' 'mount -t proc proc /tmp'
try 'writes a hook' 'echo evil > "$MAIN/.git/hooks/pre-commit"'
try 'changes the configuration' 'echo evil >> "$MAIN/.git/config"'
try 'has a user namespace' 'unshare -U true'
try 'has a user namespace with a map' 'unshare -Ur true'
try 'enters a namespace' 'nsenter -t 1 -m true'
try 'has a capability' 'grep -E "^Cap...:.*[1-9a-f]" /proc/self/status'
try 'has a capability in pid 1' 'grep -E "^Cap...:.*[1-9a-f]" /proc/1/status'
try 'may gain rights' '! grep -q "^NoNewPrivs:.1" /proc/self/status'
try 'becomes root' 'su root -c true'
try 'uses sudo' 'sudo -n true'
try 'changes its user' 'setpriv --reuid 4321 --clear-groups true'
try 'changes its root' 'chroot / true'
try 'makes a device' 'mknod /tmp/disk b 8 0'
try 'reads a disk' 'ls /dev/[svn][dv]* && head -c1 /dev/[svn][dv]*'
try 'reads kernel memory' 'head -c1 /dev/mem || head -c1 /proc/kcore'
try 'changes the kernel' 'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern'
try 'changes the kernel by sysrq' 'echo h > /proc/sysrq-trigger'
try 'writes in proc' 'find /proc -maxdepth 3 -not -path "/proc/[0-9]*" -type f -writable | grep .'
try 'has sys' 'ls /sys/kernel'
try 'has cgroups' 'ls /sys/fs/cgroup'
try 'reads shadow' 'head -c1 /etc/shadow'
try 'reads a host key' 'head -c1 /etc/ssh/ssh_host_*_key'
try 'reads private keys' 'ls /etc/ssl/private'
try 'reads sudoers' 'head -c1 /etc/sudoers'
try 'reads settings of fermata' 'ls /etc/fermata'
try 'sees a process' 'test -e "/proc/$OUTSIDE"'
try 'signals a process' 'kill -0 "$OUTSIDE"'
try 'sees a root outside' 'ls "/proc/1/root/$DATA/token" || ls "/proc/1/cwd/../../../../token"'
try 'has a terminal' ': < /dev/tty'
try 'types into a terminal' "perl -e 'open(T, q(<), q(/dev/tty)) or exit 1; ioctl(T, 0x5412, my \$c = q(x)) or exit 1'"
try 'has other terminals' 'ls /dev/pts/[0-9]*'
try 'sees a socket' 'find /run /tmp /var -type s | grep .'
try 'reads the token' 'cat "$DATA/token"'
try 'reads the ledger' 'cat "$DATA/ledger.db"'
try 'reads the home' 'cat "$HOME/secret"'
try 'reads the checkout' 'ls "$MAIN" | grep -v "^.git$"'
try 'has files open' 'ls /proc/self/fd | grep -vE "^[0-3]$"'
true
`;

test.for(eachUser)(
  'BIND-18 a sandbox holds for $user: nothing is mounted, gained, seen or written',
  ({ account }, { skip }) => {
    skipWithoutSandbox(skip);
    const { main, run } = place(account);
    expect(run(ATTEMPTS).trim().split('\n')).toEqual(['works at all']);
    expect(existsSync(join(main, '.git/hooks/pre-commit'))).toBe(false);
  },
);

/** Folders of the system that root can write to. */
const systemFolders =
  process.getuid?.() === 0 ? ['/opt', '/etc', '/usr/lib', '/usr/share', '/usr/local/share'] : [];

test.for(spread([...systemFolders, undefined]))(
  'BIND-18 the data folder, the store and other clones are absent, even in %s, and in what the person lists',
  (folder, { skip }) => {
    skipWithoutSandbox(skip);
    const { root, data, worktree, env, run } = place({}, folder);
    // A clone beside the data folder, a store elsewhere, and a person who lets agents read everything around both.
    const clone = realpathSync(mkdtempSync(join(folder ?? root, 'fermata-clone-')));
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
    mkdirSync(join(clone, '.git'));
    writeFileSync(join(clone, 'source'), 'of another project');
    const store = join(clone, 'a.db');
    writeFileSync(store, 'a ledger');
    symlinkSync(data, join(root, 'link'));
    const sandbox = { read: [root, join(root, 'link'), join(data, 'token')] };
    writeFileSync(join(data, 'config.json'), JSON.stringify({ sandbox }));
    env.FERMATA_STORE = store;
    const printed = run(
      'for file in "$DATA"/* "$LINK"/* "$CLONE"/source "$STORE"; do test -s "$file" && ! test -d "$file" && echo "$file"; done; echo x > mine && ls',
      { CLONE: folder ? clone : '/nowhere', STORE: store, LINK: join(root, 'link') },
    );
    expect(printed.trim()).toBe('mine');
    expect(existsSync(join(worktree, 'mine'))).toBe(true);
  },
);

test('BIND-18 a program in /opt that PATH leads to works, and what is beside it is absent', ({ skip }) => {
  skipWithoutSandbox(skip);
  if (process.getuid?.() !== 0) skip('only root can write to /opt');
  const { env, run } = place({});
  const tool = realpathSync(mkdtempSync('/opt/fermata-tool-'));
  const link = join('/usr/local/bin', basename(tool));
  onTestFinished(() => {
    for (const path of [tool, link]) rmSync(path, { recursive: true, force: true });
  });
  for (const name of ['bin', 'lib']) mkdirSync(join(tool, name));
  writeFileSync(join(tool, 'lib/answer'), '42');
  writeFileSync(join(tool, 'bin/tool'), `#!/bin/sh\ncat ${tool}/lib/answer\n`, { mode: 0o755 });
  symlinkSync(join(tool, 'bin/tool'), link);
  expect(run(`ls /opt; ${basename(link)}`)).toBe(`${basename(tool)}\n42`);
  rmSync(link);
  env.PATH = `${join(tool, 'bin')}:${env.PATH}`;
  expect(run('tool')).toBe('42');
});

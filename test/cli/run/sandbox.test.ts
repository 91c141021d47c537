import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../../src/agents/process/program.ts';
import { asked } from '../../support/asked.ts';
import { fermata, startFermata } from '../../support/fermata.ts';
import { keepOnDisk } from '../../support/keep-on-disk.ts';
import { skipWithoutSandbox } from '../../support/sandbox.ts';
import { planRepository } from './support/plan-repository.ts';

keepOnDisk();

const LONG = 240_000;

/** What an agent tries, one line each; it writes what worked into its own worktree. */
const TRIES = `#!/bin/sh
cat > /dev/null
try() { name=$1; shift; if sh -c "$*" > /dev/null 2>&1; then echo "$name: yes"; else echo "$name: no"; fi >> tried.txt; }
try "write in the worktree" 'echo x > mine.txt'
try "read the ledger" "cat '$LEDGER'"
try "list the home of fermata" "ls '$LEDGER_HOME/ledger.db'"
try "read a file of the home" "cat '$HOME/secret'"
try "write beside the worktree" 'echo x > ../beside.txt && test -e ../beside.txt && cat "$MAIN/plans/shop/MASTER_PLAN.md"'
try "change git's configuration" 'git config core.hooksPath /tmp/evil'
try "write a hook" 'echo x > "$(git rev-parse --git-common-dir)/hooks/pre-commit"'
try "make git's directory writable" 'mount -o remount,bind,rw "$(git rev-parse --git-common-dir)"'
try "see other processes" 'test -e /proc/$OUTER/environ'
try "commit" 'git add -A && git commit -m "From the sandbox"'
try "move the feature branch" 'git update-ref refs/heads/work HEAD'
fermata ask "Which colour?" -o green -o blue > colour.txt || exit 1
echo '{"status":"success"}'
`;

/** In a folder that every sandbox used to show, if this user can write there. */
function dataFolder(): string {
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/opt' : tmpdir(), 'fermata-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test(
  'in a sandbox an agent changes its worktree and asks, but reaches neither home, ledger, hooks nor other branches, even as root with its data in /opt (BIND-14, BIND-18)',
  async ({ skip }) => {
    skipWithoutSandbox(skip);
    const gate = 'test -s colour.txt && ! cat "$HOME/secret" && ! test -e "$HOME/.local"';
    const place = planRepository([{ id: '1', gate }], { FERMATA_HOME: dataFolder() });
    const folder = join(place.cwd, '..');
    const home = join(folder, 'person');
    mkdirSync(home);
    writeFileSync(join(home, 'secret'), 'a secret');
    const ledgerHome = place.at.env?.FERMATA_HOME ?? '';
    const program = join(folder, 'agent.sh');
    const told = TRIES.replaceAll('$LEDGER_HOME', ledgerHome)
      .replaceAll('$LEDGER', join(ledgerHome, 'ledger.db'))
      .replaceAll('$MAIN', place.cwd)
      .replaceAll('$OUTER', String(process.pid));
    writeFileSync(program, told, { mode: 0o755 });
    const at = { ...place.at, env: { ...place.at.env, HOME: home } };
    const args = [
      'run',
      'plans/shop',
      '--sandbox',
      '--wait',
      '--agent',
      'command',
      '--agent-command',
      program,
    ];
    const running = startFermata(args, { ...at, limitMs: LONG });
    running.child.stdin?.end();
    const ended = running.ended.then(({ stderr }) => {
      throw new Error(`It ended before it asked: ${stderr}`);
    });
    ended.catch(() => undefined);
    const { id, sourceId } = await Promise.race([asked(place.at), ended]);
    expect(sourceId).toBe('shop/1');
    const before = place.git('rev-parse', 'work');
    await fermata(['answer', id, 'green'], place.at);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(place.cwd, 'tried.txt'), 'utf8').trim().split('\n')).toEqual([
      'write in the worktree: yes',
      'read the ledger: no',
      'list the home of fermata: no',
      'read a file of the home: no',
      'write beside the worktree: no',
      "change git's configuration: no",
      'write a hook: no',
      "make git's directory writable: no",
      'see other processes: no',
      'commit: yes',
      'move the feature branch: yes',
    ]);
    // It moved a copy of that branch; what was merged is a merge of its own branch, with its own commit.
    expect(place.git('rev-parse', 'work^1')).toBe(before);
    expect(place.git('log', '--format=%s', 'work')).toContain('From the sandbox');
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('green\n');
    expect(existsSync(join(place.cwd, '.git/hooks/pre-commit'))).toBe(false);
  },
  LONG,
);

test('without bubblewrap, --sandbox is refused with how to install it, and nothing runs (BIND-14)', async () => {
  const place = planRepository([{ id: '1' }]);
  const bin = mkdtempSync(join(tmpdir(), 'fermata-path-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const git = findProgram('git', process.env, '/') ?? '';
  writeFileSync(join(bin, 'git'), `#!/bin/sh\nexec ${git} "$@"\n`);
  chmodSync(join(bin, 'git'), 0o755);
  const at = { ...place.at, env: { ...place.at.env, PATH: bin } };
  const { code, stderr } = await fermata(['run', 'plans/shop', '--agent', 'scripted', '--sandbox'], at);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^fermata: --sandbox needs bubblewrap, which is not installed\. Install it \("apt install bubblewrap".*\), or run without a sandbox\.$/m,
  );
  expect(stderr).not.toContain('Running shop');
  const worker = await fermata(['worker'], { ...at, env: { ...at.env, FERMATA_SANDBOX: '1' } });
  expect(worker, 'BIND-24').toMatchObject({ code: 2 });
  expect(worker.stderr).toContain('bubblewrap, which is not installed');
});

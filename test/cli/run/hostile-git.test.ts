import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { keepOnDisk } from '../../support/keep-on-disk.ts';
import { spread } from '../../support/long.ts';
import { longTest } from '../../support/long-test.ts';
import { hookNames, setTrap } from '../../work/support/trap.ts';
import { planRepository } from './support/plan-repository.ts';

keepOnDisk();

const LONG = 240_000;

/** Fills a repository at $1 with a hook of every name and with a configuration that names the trap. */
const ARM = `
arm() {
  mkdir -p "$1/hooks"
  for name in ${hookNames.join(' ')}; do cp "$TRAP" "$1/hooks/$name"; done
  printf '[core]\\n\\tfsmonitor = %s\\n\\tpager = %s\\n[diff]\\n\\texternal = %s\\n' "$TRAP" "$TRAP" "$TRAP" >> "$1/config"
}
nested() {
  git init -q "$1" && echo x > "$1/x.txt" && git -C "$1" add . && git -C "$1" commit -q -m x && arm "$1/.git"
}
`;

/** Nobody's home needs to have one for the test. */
const IDENTITY =
  'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com';

/** What agents do to get their own programs run with our rights. Each ends without calling git itself. */
const attacks = {
  'replaces its .git by a file that leads to its own repository': `
    git init -q "$TRAPS/own.git" && arm "$TRAPS/own.git/.git"
    echo "gitdir: $TRAPS/own.git/.git" > .git`,
  'replaces its .git by a repository': `
    rm .git && git init -q . && arm .git`,
  'points core.hooksPath into its worktree': `
    mkdir .githooks && cp "$HOOKS"/* .githooks/
    git config core.hooksPath "$PWD/.githooks"`,
  // It does not call git once the repository is armed.
  'puts repositories with core.fsmonitor inside its worktree, leaves a hook of every name and fills the configuration': `
    nested tool
    git add tool && git -c core.fsmonitor=false commit -q -m 'Add tool'
    nested again
    arm "$(git rev-parse --git-common-dir)"
    printf '* diff=trap merge=trap\\n' > .gitattributes
    printf '[diff "trap"]\\n\\tcommand = %s\\n\\ttextconv = %s\\n[merge "trap"]\\n\\tdriver = %s\\n' "$TRAP" "$TRAP" "$TRAP" >> "$(git rev-parse --git-common-dir)/config"`,
};

function hostileAgent(attack: string) {
  const place = planRepository([{ id: '1', gate: 'test -s work.txt' }]);
  const traps = freshFolder('traps');
  const trap = setTrap();
  const program = join(traps, 'agent.sh');
  const variables = `TRAPS='${traps}' TRAP='${trap.program}' HOOKS='${trap.hooks}'`;
  writeFileSync(
    program,
    `#!/bin/bash\nset -e\n${IDENTITY}\n${variables}\n${ARM}\ncat > /dev/null\necho done > work.txt\n${attack}\necho '{"status":"success"}'\n`,
    { mode: 0o755 },
  );
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
  const run = async () => {
    const first = await fermata(args, place.at);
    // Hooks and nested repositories in its work wait for a person, who says yes.
    for (const { id } of await place.inbox()) await fermata(['answer', id, 'Approve'], place.at);
    return first.code === 3 ? fermata(args, place.at) : first;
  };
  return { place, trap, run };
}

/** Git as the person, with hooks and drivers off, because the repository is full of traps. */
const calm = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '--no-pager'];

test.each(spread(Object.entries(attacks)))(
  'an agent that %s has nothing run with our rights, and its work is merged (BIND-13)',
  async (_, attack) => {
    const { place, trap, run } = hostileAgent(attack);
    const { code, stderr } = await run();
    expect(trap.marks(), stderr).toEqual([]);
    expect(code, stderr).toBe(0);
    expect(place.git(...calm, 'show', 'work:work.txt')).toBe('done');
    const cleaned = await fermata(['git', 'cleanup-worktrees'], place.at);
    expect(cleaned.stderr).not.toContain('trap');
    expect(trap.marks()).toEqual([]);
  },
  LONG,
);

test(
  'an agent that names a filter in the repository is refused with what to do, and the filter does not run (BIND-13)',
  async () => {
    const { place, trap, run } = hostileAgent(`
      git config filter.trap.clean "$TRAP"
      git config filter.trap.smudge "$TRAP"
      echo '*.txt filter=trap' > .gitattributes`);
    const { code, stdout, stderr } = await run();
    expect(code, stderr).toBe(1);
    expect(stdout).toContain('The filter "trap" is set only in this repository\'s configuration');
    expect(trap.marks()).toEqual([]);
    expect(place.git(...calm, 'ls-tree', '--name-only', 'work')).not.toContain('work.txt');
  },
  LONG,
);

/** Everything but the worktree is read-only, in its own mount namespace. */
const CONFINED = `
  inner="$TRAPS/inner.sh"
  { declare -f arm nested; echo "set -e; TRAP='$TRAP' HOOKS='$HOOKS'"; cat <<'END'
    if touch "$ESCAPED" 2> /dev/null; then exit 1; fi
    rm .git && git init -q . && arm .git && git -C . config core.hooksPath "$HOOKS"
    nested tool
END
  } > "$inner"
  ESCAPED="$TRAPS/escaped" unshare --mount bash -c '
    set -e
    mount --make-rprivate /
    mount --bind "$PWD" "$PWD"
    mount -o remount,bind,ro /
    for at in $(awk "{print \\$2}" /proc/mounts | grep -v -x -e / -e "$PWD" -e /proc -e "/proc/.*" -e "/sys.*" -e "/dev.*"); do
      mount -o remount,bind,ro "$at" 2> /dev/null || true
    done
    cd "$PWD" && bash "$1"' - "$inner"`;

const canConfine = () => spawnSync('unshare', ['--mount', 'mount', '--make-rprivate', '/']).status === 0;

longTest(
  'an agent that can write only to its worktree gets nothing run outside its mount namespace (BIND-13)',
  async ({ skip }) => {
    if (!canConfine()) skip('needs a mount namespace of its own (root, or unshare --mount)');
    const { place, trap, run } = hostileAgent(CONFINED);
    const { code, stderr } = await run();
    expect(trap.marks(), stderr).toEqual([]);
    expect(code, stderr).toBe(0);
    expect(place.git(...calm, 'show', 'work:work.txt')).toBe('done');
  },
  LONG,
);

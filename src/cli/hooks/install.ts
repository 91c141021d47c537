import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram } from '../../agents/process/program.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { hooksPaths } from '../../git/hooks-paths.ts';
import { quoted } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { requireRepository } from '../../work/worktrees/worktree-context.ts';

const command = () => [process.execPath, ownProgram('fermata.cjs')];

/** Installs the checkout hook and returns its path. Keeps an existing hook of somebody else. */
export async function installHook(cwd: string): Promise<string> {
  const { top, commonDir } = requireRepository(cwd);
  const elsewhere = (await hooksPaths(top)).at(-1);
  if (elsewhere !== undefined)
    throw inTheWay(`Git uses other hooks in this repository (core.hooksPath is ${elsewhere}).`);
  const path = join(commonDir, 'hooks', 'post-checkout');
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there && !(there.isFile() && readFileSync(path, 'utf8').includes(OURS)))
    throw inTheWay(`${path} is your own hook, so it was not changed.`);
  mkdirSync(join(commonDir, 'hooks'), { recursive: true });
  writeAtOnce(path, checkoutHook(command()), 0o755);
  return path;
}

export const describeHook = (path: string): string =>
  `Installed ${path}. Switching to a phase's branch now prints the plan's progress.`;

function inTheWay(what: string): FermataError {
  return new FermataError(
    'conflict',
    `${what} To print the plan's progress, add this line to your post-checkout hook:\n  ${hookLine(command())}`,
  );
}

/** Marks a hook as ours. */
const OURS = '# Written by "fermata hooks install".';

/**
 * Git's post-checkout hook. It calls this installation by its absolute path and runs nothing from the repository. A
 * failure never affects the checkout. It prints nothing for agents of a run, which are recognised by their door.
 */
export function checkoutHook(command: readonly string[]): string {
  return `#!/bin/sh
${OURS} It prints the plan's progress when you switch to a phase's branch.
[ "$3" = 1 ] && [ -z "$FERMATA_DOOR" ] || exit 0
case "$(git symbolic-ref --quiet --short HEAD)" in
  *--implementation-*) ${hookLine(command)} ;;
esac
exit 0
`;
}

/** The line to add to an existing hook. */
const hookLine = (command: readonly string[]) =>
  `${[...command, 'hooks', 'show'].map(quoted).join(' ')} || true`;

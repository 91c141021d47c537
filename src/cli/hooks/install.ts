import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram } from '../../agents/process/program.ts';
import { writeAtOnce } from '../../files/write-at-once.ts';
import { hooksPaths } from '../../git/hooks-paths.ts';
import { FermataError } from '../../schema/error.ts';
import { requireRepository } from '../../work/worktrees/worktree-context.ts';
import { checkoutHook, hookLine, OURS } from './checkout-hook.ts';

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

import { tmpdir } from 'node:os';
import { Refusal } from '../schema/refusal.ts';
import { gitEnvironment } from './environment.ts';
import { startGit } from './start-git.ts';

/** The first git that merges without touching files. */
export const MIN_GIT = { major: 2, minor: 38 };

export function isOldGit(version: string): boolean {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major < MIN_GIT.major || (major === MIN_GIT.major && minor < MIN_GIT.minor);
}

let checked: Promise<void> | undefined;

/** Checked before a command that needs worktrees or merges does anything. */
export function requireGit(): Promise<void> {
  checked ??= check();
  return checked;
}

async function check(): Promise<void> {
  const { stdout } = await startGit(tmpdir(), ['--version'], { env: gitEnvironment(process.env) });
  const version = /\d+\.\d+[\w.]{0,40}/.exec(stdout.toString('latin1', 0, 200))?.[0] ?? '';
  if (!isOldGit(version)) return;
  throw new Refusal(
    'old_git',
    `Fermata needs git ${MIN_GIT.major}.${MIN_GIT.minor} or newer, but the installed version is ${version || 'unknown'}. Nothing was changed.`,
    { suggestion: 'Install a newer git (https://git-scm.com).', code: 'unavailable' },
  );
}

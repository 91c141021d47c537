import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadSettings } from '../../../src/config/settings.ts';
import { gitEnvironment } from '../../../src/git/deaf-environment.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import type { WantedWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { worktreeBranch } from '../../../src/work/worktrees/worktree-branch.ts';
import { type WorktreeContext, worktreeContextAt } from '../../../src/work/worktrees/worktree-context.ts';
import { perFile } from '../../support/per-file.ts';

export const agent: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };

/** Only these settings, and the same ids for the same content on every machine. */
export const identity = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};

/** Without the process that git starts after a commit, a merge or a fetch to see whether it should tidy up. */
const settings = ['-c', 'protocol.file.allow=always', '-c', 'maintenance.auto=false'];

/** Runs git as a person would; throws if it fails. */
export function sh(folder: string, ...args: string[]): string {
  return run(folder, 'git', [...settings, ...args]);
}

function run(folder: string, program: string, args: string[]): string {
  const env = { ...gitEnvironment({ ...process.env, ...identity }) };
  return execFileSync(program, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replace(/\n$/, '');
}

export function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export function commit(folder: string, message: string, files: Record<string, string | Buffer> = {}): string {
  write(folder, files);
  return run(folder, 'sh', ['-c', COMMIT, 'sh', message, ...settings]);
}

/** One process for all of it, because each that this large process starts takes a while. */
const COMMIT = `
message=$1; shift
git "$@" add -A && git "$@" commit -q --allow-empty -m "$message" && git rev-parse HEAD
`;

/** A folder of one test, with a space and letters that are not ASCII in its name; removed after it. */
export function freshPlace(): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'fermata-git-'))), 'Grüße an 世界');
  mkdirSync(folder);
  onTestFinished(() => rmSync(dirname(folder), { recursive: true, force: true }));
  return folder;
}

/** What a worktree of the feature "login" is wanted for. */
export const loginPhase = (
  phase: string,
  variant: string | null = null,
  plan: string | null = 'plans/login',
): WantedWorktree => ({
  branch: worktreeBranch({ feature: 'login', plan: basename(plan ?? 'login'), phase, variant }),
  feature: 'login',
  phase,
  variant,
  plan,
});

export interface TestRepository {
  /** The main checkout, on branch `login`, which began at `main`. */
  main: string;
  home: string;
  ledger: Ledger;
  worktreeContext: WorktreeContext;
  /** The same from another folder of the repository. */
  from(folder: string): WorktreeContext;
}

/** A folder that is created once for all tests of a file, which copy it. */
export function template(make: (folder: string) => void): () => string {
  const create = () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fermata-template-')));
    make(folder);
    return folder;
  };
  return perFile(create, (folder) => rmSync(folder, { recursive: true, force: true }));
}

const emptyRepository = template((folder) => {
  sh(folder, 'init', '--quiet');
  // Git's examples of hooks are more files to copy than all others.
  const hooks = join(folder, '.git/hooks');
  for (const name of readdirSync(hooks)) rmSync(join(hooks, name));
});

/** Like `git init`, without starting git each time. Commits there are by Ann if `isOfAnn`, whatever the environment says. */
export function initRepository(folder: string, branch = 'main', isOfAnn = false): void {
  cpSync(emptyRepository(), folder, { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
  const person = `[user]\n\tname = ${identity.GIT_AUTHOR_NAME}\n\temail = ${identity.GIT_AUTHOR_EMAIL}\n`;
  if (isOfAnn) appendFileSync(join(folder, '.git/config'), person);
}

const login = template((folder) => {
  initRepository(folder);
  commit(folder, 'first', {
    'a.txt': 'one\ntwo\nthree\n',
    'dir with space/ü.txt': 'x\n',
    '.gitignore': '*.log\nbuild/\n',
  });
  sh(folder, 'switch', '-q', '-c', 'login');
});

export async function freshRepository(): Promise<TestRepository> {
  const folder = freshPlace();
  const main = join(folder, 'my shop');
  cpSync(login(), main, { recursive: true });
  return { main, ...(await openPlace(main, join(folder, 'home'))) };
}

export async function openPlace(main: string, home: string): Promise<Omit<TestRepository, 'main'>> {
  const settings = loadSettings(main, { FERMATA_HOME: home });
  const ledger = await openLedger(settings.store.value, {});
  onTestFinished(() => ledger.close());
  const { id, name, root } = settings.project.value;
  await ledger.projects.ensure({ id, name, root });
  const from = (at: string) => worktreeContextAt(at, settings, { ledger, projectId: id, by: agent });
  return { home, ledger, worktreeContext: from(main), from };
}

import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { findRepository } from '../config/repository.ts';
import { FermataError } from '../schema/error.ts';
import { throwIfScarce } from '../schema/system-fault.ts';
import { deafEnvironment, type GitConfig } from './deaf-config.ts';
import { silencedIn } from './silenced-drivers.ts';
import { startGit } from './start-git.ts';

/** The environment in which git ignores everything the repository wants it to run. */
export async function deafFor(
  folder: string,
): Promise<{ env: NodeJS.ProcessEnv; silencedFilters: string[] }> {
  const located = locate(folder);
  refuseLinks(located);
  await requireOwned(located);
  const { config, filters } = await silencedIn(located, () => listConfig(located));
  return { env: environmentOf(located, config), silencedFilters: filters };
}

function environmentOf(located: Located, config: GitConfig): NodeJS.ProcessEnv {
  return { ...gitEnvironment(process.env), ...deafEnvironment(config), ...locationEnvironment(located) };
}

async function listConfig(located: Located): Promise<string> {
  const env = environmentOf(located, new Map());
  const args = ['config', '--list', '--includes', '--show-scope', '-z'];
  const { code, stdout, stderr } = await startGit(located.commonDir, args, { env });
  if (code === 0) return stdout.toString('utf8');
  throw new FermataError(
    'invalid',
    `Cannot read the configuration of ${located.commonDir}: ${stderr.trim()}`,
  );
}

const owned = new Set<string>();

/** Lets git find the repository once, because it does not check the owner of a repository that it is given. */
async function requireOwned({ commonDir }: Located): Promise<void> {
  if (owned.has(commonDir)) return;
  const owner = statSync(commonDir, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && owner !== process.geteuid?.()) {
    const env = {
      ...gitEnvironment(process.env),
      ...deafEnvironment(new Map([['safe.bareRepository', 'all']])),
    };
    const { code, stderr } = await startGit(commonDir, ['rev-parse', '--git-dir'], { env });
    if (code !== 0) throw new FermataError('forbidden', `git refuses to use ${commonDir}: ${stderr.trim()}`);
  }
  owned.add(commonDir);
}

/** Git writes through links in a worktree's git directory (COMMIT_EDITMSG, logs/HEAD), so it would change other files. */
function refuseLinks({ gitDir, commonDir }: Located): void {
  if (gitDir === commonDir) return;
  const link = [gitDir, join(gitDir, 'logs')].map(linkIn).find((path) => path !== undefined);
  if (link === undefined) return;
  throw new FermataError('invalid', `${link} is a link, and git would write through it. Remove it.`);
}

function linkIn(folder: string): string | undefined {
  try {
    const found = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.isSymbolicLink());
    return found && join(folder, found.name);
  } catch (error) {
    throwIfScarce(error);
    return undefined; // does not exist, so nothing is written through it
  }
}

/** Git variables that a person may set; anything else, such as a hook's GIT_DIR, would point elsewhere. */
const kept =
  /^GIT_(CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|EXEC_PATH|TEMPLATE_DIR|(AUTHOR|COMMITTER)_(NAME|EMAIL))$/;

/** The environment of git: this process's own, without anything that points at another repository, and without prompts. */
export function gitEnvironment(env: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || kept.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: absoluteOnly(env.PATH),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_EDITOR: ':',
    GIT_PAGER: 'cat',
    // Reading never takes a lock that would disturb other work in the same checkout.
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    LANGUAGE: '',
  };
}

/** Git runs in agents' folders, where a relative or empty entry would find the agents' programs. */
function absoluteOnly(path = ''): string {
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry));
  return entries.join(delimiter) || '/usr/bin:/bin';
}

/** The repository that a git works on, given explicitly so that git never searches for one. */
export interface Located {
  gitDir: string;
  commonDir: string;
  /** Undefined for a git directory that the caller named. */
  top: string | undefined;
}

/** The repository of a folder; without one, where `git init` would create it. */
function locate(folder: string): Located {
  const found = findRepository(folder);
  if (found?.top === folder) return found;
  if (isGitDirectory(folder)) return { gitDir: folder, commonDir: folder, top: undefined };
  if (found) return found;
  const gitDir = join(folder, '.git');
  return { gitDir, commonDir: gitDir, top: undefined };
}

/** Git's own directory for the checkout around a folder: the one that we pass to git. */
export const gitDirOf = (folder: string): string => locate(folder).gitDir;

function locationEnvironment({ gitDir, commonDir, top }: Located): Record<string, string> {
  return {
    GIT_DIR: gitDir,
    ...(gitDir === commonDir ? {} : { GIT_COMMON_DIR: commonDir }),
    ...(top === undefined ? {} : { GIT_WORK_TREE: top }),
  };
}

/** Commands about a whole repository get git's common directory, which may be a bare repository. */
function isGitDirectory(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

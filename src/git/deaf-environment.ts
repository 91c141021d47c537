import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import type { GitConfig } from './deaf-config.ts';
import { deafEnvironment } from './deaf-config.ts';
import { gitEnvironment } from './environment.ts';
import { type Located, locate, locationEnvironment } from './located.ts';
import { silencedIn } from './repository-config.ts';
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
  } catch {
    return undefined; // does not exist, so nothing is written through it
  }
}

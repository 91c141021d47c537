import { tryGit } from './git.ts';

/**
 * Every value of `core.hooksPath` from the person or the repository, the effective one last. Excludes our own value,
 * because our git runs no hooks.
 */
export async function hooksPaths(folder: string): Promise<string[]> {
  const { stdout } = await tryGit(folder, ['config', '--show-scope', '-z', '--get-all', 'core.hooksPath']);
  const parts = stdout.toString('utf8').split('\0').slice(0, -1);
  return parts.filter((_, at) => at % 2 === 1 && parts[at - 1] !== 'command');
}

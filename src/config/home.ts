import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export type Env = Record<string, string | undefined>;

/**
 * The folder for everything outside repositories. The same on macOS: a path with a space, such as `Application Support`,
 * breaks many build tools, and worktrees are below this folder.
 */
export function fermataHome(env: Env): string {
  if (env.FERMATA_HOME) return resolve(env.FERMATA_HOME);
  const data = env.XDG_DATA_HOME;
  return join(
    data && isAbsolute(data) ? data : join(homedir() || userInfo().homedir, '.local', 'share'),
    'fermata',
  );
}

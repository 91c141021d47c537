import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export type Env = Record<string, string | undefined>;

/** The folder for everything outside repositories. */
export function fermataHome(env: Env): string {
  if (env.FERMATA_HOME) return resolve(env.FERMATA_HOME);
  const data = env.XDG_DATA_HOME;
  return join(
    data && isAbsolute(data) ? data : join(homedir() || userInfo().homedir, '.local', 'share'),
    'fermata',
  );
}

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Repository } from '../config/repository.ts';
import { readSmall } from '../files/read-bounded.ts';
import { FermataError } from '../schema/error.ts';
import type { GitConfig } from './deaf-config.ts';

/** One setting and its origin: `local` and `worktree` come from the repository, the others from the person. */
interface ConfigEntry {
  scope: string;
  key: string;
  value: string;
}

export interface Silenced {
  config: GitConfig;
  /** The filters that only the repository names. */
  filters: string[];
}

/**
 * The settings that keep git from starting drivers that only a repository names. If the person's own configuration
 * defines the same driver, that applies instead. Git refuses a file whose filter does not run (`required`), so nothing is
 * stored or written unfiltered; a file whose merge driver does not run is a conflict. Hooks configured by name are off,
 * whoever named them.
 */
function silencedDrivers(entries: readonly ConfigEntry[]): Silenced {
  const own = new Map(entries.filter((entry) => !isLocal(entry)).map(({ key, value }) => [key, value]));
  const config = new Map<string, string>();
  const filters = new Set<string>();
  const say = (key: string, otherwise: string) => config.set(key, own.get(key) ?? otherwise);
  for (const entry of entries) {
    const [section, name, part] = partsOf(entry.key);
    if (section === 'hook' && name !== undefined) config.set(`hook.${name}.enabled`, 'false');
    if (!isLocal(entry)) continue;
    if (section === 'filter' && name !== undefined && filterParts.includes(part)) {
      if (part !== 'required' && !own.has(entry.key)) filters.add(name);
      say(entry.key, part === 'required' ? 'false' : '');
    }
    if (section === 'merge' && name !== undefined && part === 'driver') say(entry.key, 'false');
    if (entry.key === 'merge.default') say(entry.key, 'text');
  }
  for (const name of filters) config.set(`filter.${name}.required`, 'true');
  return { config, filters: [...filters] };
}

const filterParts = ['clean', 'smudge', 'process', 'required'];

const isLocal = ({ scope }: ConfigEntry) => scope === 'local' || scope === 'worktree';

/** `filter.a.b.clean` is the key `clean` of the filter `a.b`. */
function partsOf(key: string): [section: string, name: string | undefined, part: string] {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  return [key.slice(0, first), first === last ? undefined : key.slice(first + 1, last), key.slice(last + 1)];
}

type Directories = Pick<Repository, 'gitDir' | 'commonDir'>;

const MAX_BYTES = 1024 * 1024;
/** More would not fit into an environment. */
const MAX_DRIVERS = 1000;
const nothing: Silenced = { config: new Map(), filters: [] };
/** The configuration files of a repository when they were last read. */
const known = new Map<string, { text: string; silenced: Silenced }>();

/**
 * The settings that override a repository's own configuration. Reads the files each time, but asks git (`list`) only if
 * they may name drivers, and again only after they changed.
 */
export async function silencedIn(directories: Directories, list: () => Promise<string>): Promise<Silenced> {
  const [local, own] = [localText(directories), ownText(process.env)];
  const text = `${local}\0${own}`;
  const last = known.get(directories.gitDir);
  // An included file can change while this text stays the same.
  if (last?.text === text && !/\[include/i.test(local)) return last.silenced;
  const mayName = /\[(?:filter|merge|hook|include)/i.test(local) || /\[(?:hook|include)/i.test(own);
  const silenced = mayName ? silencedDrivers(readEntries(await list())) : nothing;
  if (silenced.config.size > MAX_DRIVERS) throw tooMany(directories);
  known.set(directories.gitDir, { text, silenced });
  return silenced;
}

function localText({ gitDir, commonDir }: Directories): string {
  const paths = [join(commonDir, 'config'), join(gitDir, 'config.worktree')];
  return paths
    .map((path) => {
      const text = readSmall(path, MAX_BYTES);
      if (text === undefined && existsSync(path)) throw unreadable(path);
      return text ?? '';
    })
    .join('\0');
}

function ownText(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const usual = [join(folder, 'git/config'), join(homedir(), '.gitconfig')];
  const paths = env.GIT_CONFIG_GLOBAL ? [env.GIT_CONFIG_GLOBAL] : usual;
  return paths.map((path) => readSmall(path, MAX_BYTES) ?? '').join('\0');
}

/** Reads `git config --list --show-scope -z`. A key without a value has no line break. */
function readEntries(listed: string): ConfigEntry[] {
  const parts = listed.split('\0').slice(0, -1);
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', setting = ''] = parts.slice(at, at + 2);
    const end = setting.indexOf('\n');
    const [key, value] = end < 0 ? [setting, 'true'] : [setting.slice(0, end), setting.slice(end + 1)];
    entries.push({ scope, key, value });
  }
  return entries;
}

function unreadable(path: string): FermataError {
  const message = `${path} is not readable or has more than ${MAX_BYTES} bytes. Check who changed it.`;
  return new FermataError('invalid', message);
}

function tooMany({ commonDir }: Directories): FermataError {
  const message = `${join(commonDir, 'config')} names more than ${MAX_DRIVERS} drivers and hooks. Check who changed it.`;
  return new FermataError('invalid', message);
}

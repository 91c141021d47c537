import type { GitConfig } from './deaf-config.ts';

/** One setting and its origin: `local` and `worktree` come from the repository, the others from the person. */
export interface ConfigEntry {
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
export function silencedDrivers(entries: readonly ConfigEntry[]): Silenced {
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

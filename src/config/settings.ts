import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import { type ConfigFile, findConfigFile } from './config-file.ts';
import { type Env, fermataHome } from './home.ts';
import { findRepository, remoteName } from './repository.ts';
import { isServer } from './store-url.ts';

/** A value and where it came from, for `fermata config`. */
interface Setting<T> {
  value: T;
  from: string;
}

export interface Settings {
  home: Setting<string>;
  store: Setting<string>;
  project: Setting<ProjectIdentity>;
  /** Set where the file decides; otherwise the ledger does. */
  hilConfig?: Setting<NonNullable<Config['hilConfig']>>;
  file?: ConfigFile;
}

interface ProjectIdentity {
  id: string;
  name: string;
  root: string;
  /** A folder that is neither a repository nor configured is a project only once something was asked there. */
  declared: boolean;
}

export interface Flags {
  store?: string;
  project?: string;
}

/** What applies in a folder: flags over environment over file over defaults. */
export function loadSettings(folder: string, env: Env, flags: Flags = {}): Settings {
  const repository = findRepository(folder);
  const file = findConfigFile(folder, repository?.top);
  const home = setting(fermataHome(env), env.FERMATA_HOME ? 'FERMATA_HOME' : 'default');
  const store =
    firstOf([flags.store, '--store'], [env.FERMATA_STORE, 'FERMATA_STORE']) ??
    setting(join(home.value, 'ledger.db'), 'default');
  const named = firstOf(
    [flags.project, '--project'],
    [env.FERMATA_PROJECT, 'FERMATA_PROJECT'],
    [file?.config.project, file?.path],
  );
  const root = repository
    ? checkoutRoot(repository.commonDir, repository.top)
    : file
      ? dirname(file.path)
      : folder;
  const shared = isServer(store.value);
  if (!shared) refuseOtherServers(store);
  const name = named?.value ?? (shared && repository ? remoteName(repository) : undefined);
  const project = {
    id: idOf(
      shared || named ? `name:${name ?? folderName(root)}` : `path:${repository?.commonDir ?? real(root)}`,
    ),
    name: name ?? folderName(root),
    root: real(root),
    declared: repository !== undefined || file !== undefined || named !== undefined,
  };
  return {
    home,
    store: shared ? store : setting(resolve(folder, store.value), store.from),
    project: setting(project, named?.from ?? (repository ? 'git repository' : file ? file.path : 'folder')),
    ...(file?.config.hilConfig ? { hilConfig: setting(file.config.hilConfig, file.path) } : {}),
    ...(file ? { file } : {}),
  };
}

/** The id that a plain folder has as a project of its own. */
export const folderProjectId = (folder: string) => idOf(`path:${real(folder)}`);

function firstOf(...candidates: [string | undefined, string | undefined][]): Setting<string> | undefined {
  const found = candidates.find(([value]) => value !== undefined && value !== '');
  return found && setting(found[0] ?? '', found[1] ?? '');
}

const setting = <T>(value: T, from: string): Setting<T> => ({ value, from });

/** Else `mysql://…` or `postgres:/…` would become a folder of that name. */
function refuseOtherServers({ value, from }: Setting<string>): void {
  const scheme = /^(?:[a-z][a-z0-9+.-]+:\/+|postg[a-z]*(?::|\/\/))/i.exec(value)?.[0];
  if (!scheme) return;
  const meant = /^po?st?g|^psql/i.test(scheme) ? ' Did you mean postgres://…?' : '';
  throw new FermataError('invalid', `${from}: a store is a file or postgres://…, not ${scheme}….${meant}`);
}

const folderName = (path: string) => basename(path) || path;

/** The main checkout, which all worktrees of a repository share. */
function checkoutRoot(commonDir: string, top: string): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : top;
}

function idOf(key: string): string {
  return `p-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

function real(path: string): string {
  return realpathSync(resolve(path));
}

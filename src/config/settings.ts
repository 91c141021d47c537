import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { realPath } from '../files/real-path.ts';
import { isServer } from '../schema/address.ts';
import type { Config } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import { visibleProse } from '../schema/visible.ts';
import { type ConfigFile, findConfigFile } from './config-file.ts';
import { type Env, fermataHome } from './home.ts';
import { findRepository, type Repository, remoteName } from './repository.ts';

/** A value and its origin, for `fermata config`. */
interface Setting<T> {
  value: T;
  from: string;
}

export interface Settings {
  home: Setting<string>;
  store: Setting<string>;
  project: Setting<ProjectIdentity>;
  /** The remote that a person named, or `none`; undefined if nobody named one. */
  remote?: Setting<string>;
  /** The folder's own project, whatever a file or a person calls it. */
  own: ProjectIdentity;
  /** The repository of the folder if others share the ledger, because its clone has to join the project. */
  clone?: Repository;
  /** The effective content of the repository's file: the trusted version, which may be an older one. */
  config: Config;
  /** The file as it is now, which has no effect until it is trusted. */
  file?: ConfigFile;
}

export interface ProjectIdentity {
  id: string;
  name: string;
  root: string;
  /** A folder that is neither a repository nor configured becomes a project only once something was asked there. */
  declared: boolean;
}

export interface Flags {
  store?: string;
  project?: string;
  remote?: string;
}

/**
 * The effective settings of a folder: flags over environment over the trusted part of the file over defaults. `joined` is the
 * project that its clone has joined.
 */
export function loadSettings(
  folder: string,
  env: Env,
  flags: Flags = {},
  config: Config = {},
  joined?: ProjectIdentity,
): Settings {
  const repository = findRepository(folder, env);
  const file = findConfigFile(folder, repository?.top);
  const home = setting(fermataHome(env), env.FERMATA_HOME ? 'FERMATA_HOME' : 'default');
  const store =
    firstOf([flags.store, '--store'], [env.FERMATA_STORE, 'FERMATA_STORE']) ??
    setting(join(home.value, 'ledger.db'), 'default');
  const shared = isServer(store.value);
  if (!shared) refuseOtherServers(store);
  const named = firstOf(
    [flags.project, '--project'],
    [env.FERMATA_PROJECT, 'FERMATA_PROJECT'],
    [config.project, file?.path],
  );
  const remote = firstOf([flags.remote, '--remote'], [env.FERMATA_REMOTE, 'FERMATA_REMOTE']);
  const place = { folder, repository, file, shared };
  const own = joined ?? identityOf(place);
  return {
    home,
    store: shared ? store : setting(resolve(folder, store.value), store.from),
    project: setting(
      named ? projectNamed(place, named, own) : own,
      named?.from ?? (repository ? 'git repository' : file ? file.path : 'folder'),
    ),
    own,
    ...(shared && repository ? { clone: repository } : {}),
    ...(remote ? { remote } : {}),
    config,
    ...(file ? { file } : {}),
  };
}

/** A person said which project this is. */
export const isNamedByPerson = ({ project }: Pick<Settings, 'project'>) => byPerson.includes(project.from);

const byPerson = ['--project', 'FERMATA_PROJECT'];

interface Place {
  folder: string;
  repository: Repository | undefined;
  file: ConfigFile | undefined;
  shared: boolean;
}

/** A project by its name. On a shared store, the file of a plain folder only says what its project is called. */
function projectNamed(
  place: Place,
  { value: name, from }: Setting<string>,
  own: ProjectIdentity,
): ProjectIdentity {
  const isByPerson = byPerson.includes(from);
  if (isByPerson && isId(name)) return { ...own, id: name, name, declared: true };
  if (place.shared && !place.repository && !isByPerson) return { ...own, name };
  return { ...own, id: idOf(`name:${name}`), name, root: identityOf(place).root, declared: true };
}

/**
 * A folder's project: that of its repository, or its own. On a shared store, a repository only wishes for the project that is
 * called like its remote.
 */
function identityOf({ folder, repository, file, shared }: Place): ProjectIdentity {
  const root = repository
    ? checkoutRoot(repository.commonDir, repository.top)
    : file
      ? dirname(file.path)
      : folder;
  const remote = shared && repository ? remoteName(repository) : undefined;
  const name = shown(remote ?? (basename(root) || root)) || 'unnamed';
  const id = !repository
    ? folderProjectId(root, shared)
    : idOf(shared ? `name:${name}` : `path:${repository.commonDir}`);
  return { id, name, root: realPath(root), declared: repository !== undefined || file !== undefined };
}

/** The id of a plain folder as a project; on a shared store, other machines have a folder of the same name. */
export const folderProjectId = (folder: string, shared: boolean) =>
  idOf(`path:${shared ? `${hostname()}:` : ''}${realPath(folder)}`);

function firstOf(...candidates: [string | undefined, string | undefined][]): Setting<string> | undefined {
  const found = candidates.find(([value]) => value !== undefined && value !== '');
  return found && setting(found[0] ?? '', found[1] ?? '');
}

const setting = <T>(value: T, from: string): Setting<T> => ({ value, from });

/** Otherwise `mysql://…` or `postgres:/…` would become a folder of that name. */
function refuseOtherServers({ value, from }: Setting<string>): void {
  const scheme = /^(?:[a-z][a-z0-9+.-]+:\/+|postg[a-z]*(?::|\/\/))/i.exec(value)?.[0];
  if (!scheme) return;
  const meant = /^po?st?g|^psql/i.test(scheme) ? ' Did you mean postgres://…?' : '';
  throw new FermataError(
    'invalid',
    `${from}: the store must be a file or postgres://…, not ${scheme}….${meant}`,
  );
}

/** A folder or an address can have any characters in its name. */
const shown = (name: string) => visibleProse(name).replace(/\s+/g, ' ').trim();

/** The main checkout, which all worktrees of a repository share. */
function checkoutRoot(commonDir: string, top: string): string {
  return basename(commonDir) === '.git' ? dirname(commonDir) : top;
}

/** A project can be named by its id as well. */
const isId = (name: string) => /^p-[0-9a-f]{12}$/.test(name);

function idOf(key: string): string {
  return `p-${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}

import { hostname } from 'node:os';
import { isItsCheckout, type Repository } from '../../config/repository.ts';
import { cloneId, readCloneId, renameCopy, requireGenuine, rootCommits } from '../../git/clone.ts';
import { type Remote, readRemote, repositoryAt, shownAddress } from '../../git/remote/address.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CloneConflict } from '../../ledger/projects/clone-register.ts';
import type { Clone, CloneInput } from '../../schema/clone.ts';
import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

/** What is needed to compare a clone with its project. */
export type CloneContext = Pick<
  WorktreeContext,
  'ledger' | 'projectId' | 'by' | 'top' | 'commonDir' | 'remoteSettings' | 'tell'
>;

/**
 * Throws unless this clone belongs to the project, before anything is changed. Otherwise returns the context with its remote,
 * if it uses one.
 */
export async function joinProject<T extends CloneContext>(context: T): Promise<T> {
  const { clone, remote } = await readClone(context);
  await joinClone(context, clone, false);
  return { ...context, ...(remote ? { remote } : {}) };
}

/** Records that a clone belongs to the project. `accepts`: a person says so now; it still needs a common first commit. */
export async function joinClone(
  { ledger, projectId, by, tell = () => undefined }: CloneContext,
  clone: CloneInput,
  accepts: boolean,
): Promise<void> {
  const repository = clone.remote && repositoryAt(clone.remote.address);
  const { conflict, isNew } = await ledger.clones.join(clone, { repository, by, accepts, isGone });
  const { name } = await ledger.projects.get(projectId);
  if (conflict) throw cloneRefusal(name, clone, conflict);
  if (isNew)
    tell(`New project in this ledger: ${name}${repository ? `, with its remote ${repository}` : ''}.`);
}

/** This clone as it would join, and the remote that it uses. Changes nothing but the id of a copied folder. */
export async function readClone(context: CloneContext): Promise<{ clone: CloneInput; remote?: Remote }> {
  const { ledger, projectId, commonDir, top } = context;
  const known = await ledger.clones.list(projectId);
  const id = idAmong(known, commonDir);
  const before = known.find((clone) => clone.id === id && isHere(clone, commonDir));
  const remote = await chooseRemote(context, before);
  const roots = before && before.roots.length > 0 ? before.roots : await rootCommits(top, commonDir, remote);
  if (!before && context.remoteSettings.isShared) await requireGenuine(commonDir, roots);
  const shown = remote ? { name: remote.name, address: shownAddress(remote) } : null;
  const clone = { id, projectId, host: hostname(), folder: commonDir, roots, remote: shown };
  return { clone, ...(remote ? { remote } : {}) };
}

/** The ids of the projects that the clone around a folder has joined, the first one first. */
export async function joinedProjects(ledger: Ledger, repository: Repository): Promise<string[]> {
  if (!isItsCheckout(repository)) return [];
  const id = readCloneId(repository.commonDir);
  return id === undefined
    ? []
    : ledger.clones.projectsOf({ id, host: hostname(), folder: repository.commonDir });
}

const isHere = ({ host, folder }: Clone, commonDir: string) => host === hostname() && folder === commonDir;

/**
 * The remote that the person named; otherwise the one this clone used before; otherwise `origin`, but only if others
 * share the ledger.
 */
async function chooseRemote(
  { commonDir, remoteSettings: { wanted, isShared } }: CloneContext,
  before: Clone | undefined,
): Promise<Remote | undefined> {
  const name = wanted ?? before?.remote?.name ?? (isShared ? 'origin' : 'none');
  if (name === 'none') return undefined;
  const remote = await readRemote(commonDir, name);
  if (remote || wanted === undefined) return remote;
  throw new Refusal('no_remote', `This repository has no remote "${name}".`, {
    suggestion: `Add it ("git remote add ${name} URL"), or name another with --remote.`,
    code: 'invalid',
  });
}

/** A copied folder has the id of its original, so it gets a new one. */
function idAmong(known: Clone[], commonDir: string): string {
  const id = cloneId(commonDir);
  const namesake = known.find((clone) => clone.id === id);
  if (!namesake || namesake.folder === commonDir || isGone(namesake)) return id;
  return renameCopy(commonDir, id);
}

/** Its folder now contains another clone or none, because it was deleted, moved, or cloned again. */
export const isGone = ({ id, host, folder }: Clone) => host === hostname() && readCloneId(folder) !== id;

const addresses = ({ remote }: CloneInput) => (remote ? repositoryAt(remote.address) : 'no remote');

/** Why a clone does not belong to a project, and what to do. */
export function cloneRefusal(project: string, clone: CloneInput, { kind, other }: CloneConflict): Refusal {
  const there = other && `${other.host}:${other.folder}`;
  const data = { project, remote: clone.remote && repositoryAt(clone.remote.address), ...placeOf(other) };
  const another = 'name another project with --project NAME';
  switch (kind) {
    case 'other_repository':
      return new Refusal(
        kind,
        `This is not a clone of the repository of project "${project}"${there ? ` (${there})` : ''}: the two have no first commit in common.`,
        {
          suggestion: `Nothing was read or changed. Compare the two with "${cmd`project join`}", or ${another}.`,
          data,
          code: 'invalid',
        },
      );
    case 'second_clone':
      return new Refusal(
        kind,
        `Project "${project}" is worked on in another clone (${there}), and this clone has no remote to get the commits made there.`,
        {
          suggestion: `Nothing was changed. Give both clones the same remote ("git remote add origin ${other?.remote?.address ?? 'URL'}") and run with --remote origin, or ${another}.`,
          data,
        },
      );
    case 'unknown_remote':
    case 'unknown_clone':
      return new Refusal(
        kind,
        `Nobody has said yet that this clone (${addresses(clone)}) belongs to project "${project}".`,
        {
          suggestion: `Nothing was read or changed. If it does, run "${cmd`project join`}" once; if not, ${another}.`,
          data,
          code: 'waiting',
        },
      );
    default: {
      const never: never = kind;
      return never;
    }
  }
}

const placeOf = (other: Clone | undefined) => (other ? { host: other.host, folder: other.folder } : {});

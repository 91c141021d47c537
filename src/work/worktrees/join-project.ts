import { hostname } from 'node:os';
import { cloneId, readCloneId, renameCopy } from '../../git/clone-id.ts';
import { type Remote, readRemote, shownAddress } from '../../git/remote/address.ts';
import { isShallow, rootCommits } from '../../git/root-commits.ts';
import type { CloneConflict } from '../../ledger/projects/clone-machine.ts';
import type { Clone } from '../../schema/clone.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { WorktreeContext } from './worktree-context.ts';

/**
 * Throws unless this clone may work on the project, before anything is changed. Otherwise returns the context with its
 * remote, if it uses one.
 */
export async function joinProject(context: WorktreeContext): Promise<WorktreeContext> {
  const { ledger, projectId, commonDir, top } = context;
  const known = await ledger.clones.list(projectId);
  const id = idAmong(known, commonDir);
  const before = known.find((clone) => clone.id === id);
  const remote = await chooseRemote(context, before);
  if (remote && isShallow(commonDir)) throw shallow(commonDir);
  const roots = before?.roots ?? (await rootCommits(top, commonDir));
  const shown = remote ? { name: remote.name, address: shownAddress(remote) } : null;
  const own = { id, projectId, host: hostname(), folder: commonDir, roots, remote: shown };
  const conflict = await ledger.clones.join(own, isGone);
  if (conflict) throw refusal((await ledger.projects.get(projectId)).name, conflict);
  return { ...context, ...(remote ? { remote } : {}) };
}

/**
 * The remote that the person named; otherwise the one this clone used before; otherwise `origin`, but only if others
 * share the ledger.
 */
async function chooseRemote(
  { commonDir, remoteSettings: { wanted, isShared } }: WorktreeContext,
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
const isGone = ({ id, host, folder }: Clone) => host === hostname() && readCloneId(folder) !== id;

function refusal(project: string, { kind, other }: CloneConflict): Refusal {
  const there = `${other.host}:${other.folder}`;
  const data = { host: other.host, folder: other.folder };
  if (kind === 'other_repository') {
    return new Refusal(
      kind,
      `This is not a clone of the repository of project "${project}" (${there}): the two have no first commit in common.`,
      { suggestion: 'Nothing was changed. Name another project with --project NAME.', data, code: 'invalid' },
    );
  }
  const address = other.remote?.address ?? 'URL';
  return new Refusal(
    kind,
    `Project "${project}" is worked on in another clone (${there}), and this clone has no remote to get the commits made there.`,
    {
      suggestion: `Nothing was changed. Give both clones the same remote ("git remote add origin ${address}") and run with --remote origin, or name another project with --project NAME.`,
      data,
    },
  );
}

function shallow(commonDir: string): Refusal {
  return new Refusal(
    'shallow',
    `${commonDir} is a shallow clone, which cannot be merged with other clones.`,
    {
      suggestion: 'Nothing was changed. Run "git fetch --unshallow" first.',
      code: 'invalid',
    },
  );
}

import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { cloneId, readCloneId, renameClone } from '../../git/clone-id.ts';
import { rootCommits } from '../../git/root-commits.ts';
import type { CloneConflict } from '../../ledger/projects/clone-machine.ts';
import type { Clone } from '../../schema/clone.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { WorktreeContext } from './worktree-context.ts';

/** Throws unless this clone may work on the project: before anything is changed in it. */
export async function joinProject(place: WorktreeContext): Promise<void> {
  const { ledger, projectId, commonDir, top } = place;
  const known = await ledger.clones.list(projectId);
  const id = idAmong(known, commonDir);
  const roots = known.find((clone) => clone.id === id)?.roots ?? (await rootCommits(top, commonDir));
  const own = { id, projectId, host: hostname(), folder: commonDir, roots, remote: null };
  const conflict = await ledger.clones.join(own, isGone);
  if (conflict) throw refusal(await nameOf(place), conflict);
}

/** A folder that was copied has the name of the one it was copied from. */
function idAmong(known: Clone[], commonDir: string): string {
  const id = cloneId(commonDir);
  const namesake = known.find((clone) => clone.id === id);
  if (!namesake || namesake.folder === commonDir || isMoved(namesake)) return id;
  return renameClone(commonDir);
}

const isMoved = ({ id, host, folder }: Clone) => host === hostname() && readCloneId(folder) !== id;

const isGone = ({ host, folder }: Clone) => host === hostname() && !existsSync(folder);

async function nameOf({ ledger, projectId }: WorktreeContext): Promise<string> {
  return (await ledger.projects.get(projectId)).name;
}

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
  return new Refusal(
    kind,
    `Project "${project}" is worked on in another clone (${there}), and this clone does not have the commits made there.`,
    {
      suggestion: 'Nothing was changed. Work there, or name another project with --project NAME.',
      data,
    },
  );
}

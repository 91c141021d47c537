import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../../config/settings.ts';
import { makeFolder } from '../../files/write-at-once.ts';
import { openRepository } from '../../git/remote/open-repository.ts';
import { exclusively } from '../../ledger/engine/exclusively.ts';
import type { Project } from '../../schema/project.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { TaskOptions } from '../../schema/work.ts';
import { joinedProjects } from '../projects/join-project.ts';
import { folderNameOf } from '../worktrees/worktree-context.ts';
import type { WorkerParts } from './worker-parts.ts';

/** The remote's name in a worker's own clones. */
export const REMOTE = 'origin';

/**
 * Reads a project in the folder where a worker works on it: in the worker's own clone, brought up to date; without a
 * remote, in the only clone, if that is on this machine. Locks the own clone meanwhile, because files are missing
 * during a checkout.
 */
export async function inProjectFolder<T>(
  parts: Pick<WorkerParts, 'ledger' | 'settings' | 'env'>,
  project: Project,
  { remote, featureBranch }: TaskOptions,
  signal: AbortSignal,
  read: (folder: string) => Promise<T>,
): Promise<T> {
  if (remote === null) return read(await onlyFolder(parts, project));
  const storage = clonesFolder(parts.settings, project.id);
  const folder = join(storage, folderNameOf(featureBranch, remote));
  makeFolder(storage);
  const openAndRead = async () => {
    await openRepository(folder, { name: REMOTE, address: remote }, [featureBranch], { signal });
    return read(folder);
  };
  return exclusively(`${folder}.lock`, openAndRead, signal);
}

export const clonesFolder = ({ home }: WorkerParts['settings'], projectId: string) =>
  join(home.value, 'projects', projectId, 'clones');

async function onlyFolder(
  { ledger, settings, env }: Pick<WorkerParts, 'ledger' | 'settings' | 'env'>,
  project: Project,
): Promise<string> {
  const { root } = project;
  if (root !== null && existsSync(root)) {
    const { own, project: there, clone } = loadSettings(root, env, { store: settings.store.value });
    const ids = clone ? await joinedProjects(ledger, clone) : [own.id, there.value.id];
    if (ids.includes(project.id)) return root;
  }
  throw new Refusal('no_remote', `${project.name} has no remote, so this machine cannot get its code.`, {
    suggestion:
      'Add a remote that all workers can reach and queue the work again, or start a worker on the machine that has the project.',
  });
}

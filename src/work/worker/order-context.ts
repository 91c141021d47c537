import { loadSettings } from '../../config/settings.ts';
import type { Project } from '../../schema/project.ts';
import type { QueueOrder } from '../../schema/work.ts';
import type { Context } from '../context.ts';
import { requireJoined } from '../projects/folder-project.ts';
import { openTrustedContext } from '../trust/trusted-context.ts';
import { isHere } from './here.ts';
import { inProjectFolder, REMOTE } from './project-folder.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Whoever set FERMATA_TRUST on this machine has not seen this content. */
export const orderTrust = { neverInAdvance: true };

/** Uses a context for queued work, on behalf of the person who queued it, in the project's folder here. */
export async function inOrderContext<T>(
  parts: WorkerParts,
  order: QueueOrder,
  signal: AbortSignal,
  use: (context: Context) => Promise<T>,
): Promise<T> {
  const project = await parts.ledger.projects.get(order.projectId);
  return inProjectFolder(parts, project, order.options, signal, async (cwd) =>
    use(await orderContextAt(parts, order, project, cwd)),
  );
}

/** The same in a given folder. */
export async function orderContextAt(
  { ledger, settings, env, report }: WorkerParts,
  { by, options, needs }: QueueOrder,
  project: Project,
  cwd: string,
): Promise<Context> {
  const flags = { store: settings.store.value, project: project.id };
  const there = loadSettings(cwd, env, flags);
  await requireJoined({ ledger, by }, there, project);
  // A clone that only this worker has does not count as a separate project.
  const isKnown = (await ledger.projects.find(there.own.id)) !== undefined;
  const where = {
    ...flags,
    ...(isKnown ? {} : { own: { id: project.id, name: project.name } }),
    ...{ cwd, env, name: by.actor.name, report },
    ...(isHere(needs) ? {} : { remote: options.remote === null ? 'none' : REMOTE }),
  };
  const opened = await openTrustedContext(ledger, where, orderTrust);
  return { ...opened, who: by, project: async () => project, isShared: true };
}

import type { OnTask } from '../agents/agent-task.ts';
import { isDeadHolder, processName } from '../agents/run/lease.ts';
import { newId } from '../ledger/ids.ts';
import type { Asker } from './asker.ts';

/** The prefix of askers without a task. */
const PREFIX = 'mcp-';

/**
 * The asker behind this server. A server that replaces one that died in the same folder continues its session: it reuses
 * open questions and gets the answers.
 */
export async function openSession(
  asker: Omit<Asker, 'on' | 'source'>,
  onTask: OnTask | undefined,
): Promise<Asker & { end(): Promise<void> }> {
  const { ledger, projectId } = asker;
  const sourceId = onTask?.sourceId ?? (await diedHere(asker)) ?? newId('mcp');
  const life = onTask?.life ?? processName();
  const { source = 'execute', ...task } = onTask ?? {};
  const on = { ...task, sourceId, life, takeUp: true };
  return {
    ...asker,
    on,
    source,
    /** The client is done, so the next one does not get its answers again. A run ends the lives of its agents itself. */
    async end() {
      if (onTask?.life === undefined) await ledger.notifications.endLife(projectId, sourceId, life);
    },
  };
}

async function diedHere({
  ledger,
  projectId,
  by,
  cwd,
}: Omit<Asker, 'on' | 'source'>): Promise<string | undefined> {
  const left = await ledger.notifications.lives(projectId, PREFIX);
  return left.find(
    ({ notification: { createdBy, resume }, life }) =>
      createdBy.actor.name === by.actor.name && resume?.cwd === cwd && isDeadHolder(life),
  )?.notification.sourceId;
}

import type { OnTask } from '../agents/agent-task.ts';
import { isDeadHolder, processName } from '../agents/run/lease.ts';
import { newId } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, Source } from '../schema/notification.ts';

/** On whose behalf the tools ask: a project, and the asker in it. */
export interface Asker {
  ledger: Ledger;
  projectId: string;
  /** The task that waits, or the name of this session or token. */
  on: Omit<OnTask, 'source'>;
  /** What its questions are about: a task, or the purpose of the run that started it. */
  source: Source;
  /** The agent's working folder; unknown over HTTP. */
  cwd?: string;
  by: By;
  /** The person who uses the client and may answer in its forms; undefined if the client is an agent that we started. */
  person?: By;
  /** Called with errors outside a call. */
  report(error: unknown): void;
}

/** Whether the same agent asked it: in this session or for this task, or earlier in the same folder. */
export function isOwn({ by, on, cwd }: Asker, asked: Notification): boolean {
  const { actor, channel } = asked.createdBy;
  const isSame = actor.kind === by.actor.kind && actor.name === by.actor.name && channel === by.channel;
  const isSameFolder = cwd !== undefined && asked.resume?.cwd === cwd;
  return isSame && (asked.sourceId === on.sourceId || isSameFolder);
}

/** Over HTTP, another token may have asked the same under this one's name in order to read the answer. */
export function refuseForeign(asker: Asker, open: Notification): void {
  if (asker.cwd !== undefined || isOwn(asker, open)) return;
  throw new FermataError('conflict', 'Another agent has the same question open. Ask it in other words.');
}

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

import type { OnTask } from '../agents/sent-out.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Notification } from '../schema/notification.ts';

/** For whom the tools ask: a project, and the asker in it. */
export interface Asker {
  ledger: Ledger;
  projectId: string;
  /** The task that waits, or a name of this session. */
  on: OnTask;
  cwd: string;
  by: By;
  /** Who sits at the client and may answer in its forms; nobody where the client is an agent that we started. */
  person?: By;
  /** Gets what went wrong beside a call. */
  report(error: unknown): void;
}

/** What the same agent asked here: in this session or for this task, or before in the same folder. */
export function isOwn({ by, on, cwd }: Asker, asked: Notification): boolean {
  const { actor, channel } = asked.createdBy;
  const isSame = actor.kind === by.actor.kind && actor.name === by.actor.name && channel === by.channel;
  return isSame && (asked.sourceId === on.sourceId || asked.resume?.cwd === cwd);
}

import type { OnTask } from '../agents/agent-task.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import type { Notification, Source } from '../schema/notification.ts';

/** For whom the tools ask: a project, and the asker in it. */
export interface Asker {
  ledger: Ledger;
  projectId: string;
  /** The task that waits, or a name of this session or token. */
  on: Omit<OnTask, 'source'>;
  /** What its questions are about: a task, or what the run is for that started it. */
  source: Source;
  /** The folder that the agent works in; over HTTP we do not know it. */
  cwd?: string;
  by: By;
  /** Who uses the client and may answer in its forms; nobody if the client is an agent that we started. */
  person?: By;
  /** Gets what went wrong beside a call. */
  report(error: unknown): void;
}

/** What the same agent asked here: in this session or for this task, or before in the same folder. */
export function isOwn({ by, on, cwd }: Asker, asked: Notification): boolean {
  const { actor, channel } = asked.createdBy;
  const isSame = actor.kind === by.actor.kind && actor.name === by.actor.name && channel === by.channel;
  const isSameFolder = cwd !== undefined && asked.resume?.cwd === cwd;
  return isSame && (asked.sourceId === on.sourceId || isSameFolder);
}

/** Over HTTP another token may have asked the same under this one's name, to read the answer. */
export function refuseForeign(asker: Asker, known: Notification): void {
  if (asker.cwd !== undefined || isOwn(asker, known)) return;
  throw new FermataError('conflict', 'Another agent has the same question open. Ask it in other words.');
}

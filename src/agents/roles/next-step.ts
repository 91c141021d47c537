import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';

/** Where a consultation stands, told from the ledger alone, so that any process can go on with it. */
export type Step =
  /** Nobody is at it: an agent has to be started, with everything that was answered. */
  | { kind: 'start' }
  /** Its agent waits for nothing any more. */
  | { kind: 'resume'; run: Run }
  | { kind: 'waiting'; run: Run; open: Notification[] }
  /** An agent has given an answer that nothing was done with yet. */
  | { kind: 'read'; run: Run };

/** `runs` newest first, `asked` all that they asked. */
export function nextStep(runs: Run[], asked: Notification[]): Step {
  const [run] = runs;
  if (run === undefined) return { kind: 'start' };
  const open = asked.filter(({ status }) => status === 'open');
  if (open.length > 0) return { kind: 'waiting', run, open };
  if (run.status !== 'ended') return { kind: 'resume', run };
  if (run.end?.reason !== 'ok' || asked.some((notification) => isFromAnswer(notification, run)))
    return { kind: 'start' };
  return { kind: 'read', run };
}

/** Asked in the answer with which a run ended, not by a tool while it was at work. */
export function isFromAnswer({ resume }: Notification, run: Run): boolean {
  return resume?.run === run.id && resume.toolCallId === undefined;
}

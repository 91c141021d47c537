import type { ResolvedQuestion } from '../../../plan/from-issues/questions.ts';
import type { Notification } from '../../../schema/notification.ts';
import type { Context } from '../../context.ts';
import type { AskedQuestion } from './store-questions.ts';

/** Asks the person who is present; otherwise waits for the answers, if the context allows that. False if interrupted. */
export async function askAbout(
  { ledger, ask = {}, held }: Context,
  plan: string,
  asked: AskedQuestion[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const waiting = asked.map(({ notification }) => notification);
  const [first] = waiting;
  if (!first) return true;
  if (ask.now) await ask.now(waiting);
  const ids = new Set(waiting.map(({ id }) => id));
  const concern = { projectId: first.projectId, plan, concerns: ({ id }: Notification) => ids.has(id) };
  if (!(await ask.stays?.(concern))) return !signal?.aborted;
  held?.onHold(true);
  for (const { projectId, id } of waiting)
    if (!(await ledger.notifications.wait(projectId, id, signal))) return false;
  held?.onHold(false);
  return true;
}

/** The current outcome of each question in the ledger. */
export async function outcomes(
  { ledger }: Context,
  asked: AskedQuestion[],
): Promise<{ resolved: ResolvedQuestion[]; open: Notification[]; settled: Notification[] }> {
  const resolved: ResolvedQuestion[] = [];
  const open: Notification[] = [];
  const settled: Notification[] = [];
  for (const { question, notification } of asked) {
    const now = await ledger.notifications.get(notification.projectId, notification.id);
    if (now.status === 'open') open.push(now);
    else settled.push(now);
    resolved.push({ question, resolution: resolutionOf(now) });
  }
  return { resolved, open, settled };
}

function resolutionOf(now: Notification): ResolvedQuestion['resolution'] {
  const [response] = now.responses;
  if (response?.kind === 'answered') {
    const { answer, note, by, at } = response;
    const said = { answer, by: by.actor.name, at, notification: now.id };
    return { kind: 'answered', ...said, ...(note === undefined ? {} : { note }) };
  }
  const reason =
    now.status === 'open'
      ? `Not answered yet: ${now.id}`
      : response?.kind === 'skipped'
        ? `Skipped by ${response.by.actor.name}`
        : `Ended without an answer: ${now.reason ?? now.outcome ?? now.status}`;
  return { kind: 'assumed', reason, notification: now.id };
}

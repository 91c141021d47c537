import { isDeadHolder } from '../agents/run/lease.ts';
import type { Notification } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import { Session, type SessionPlace } from './session.ts';

/** What a session is doing, for people. */
export type SessionState = 'waiting for you' | 'working' | 'idle' | 'interrupted';

/** The sessions of a project that have not ended, oldest first. One whose process died without a word is recorded as lost. */
export async function openSessions(place: SessionPlace): Promise<{ run: Run; waiting: Notification[] }[]> {
  const { runs } = place.ledger;
  const isSession = ({ data }: Run) => data.for === 'session';
  for (const run of (await runs.unfinished(place.projectId)).filter(isSession)) {
    const isDead = run.status === 'running' && run.holder !== null && isDeadHolder(run.holder);
    if (isDead) await new Session(place, run).lose();
  }
  const open = (await runs.unfinished(place.projectId)).filter(isSession);
  return Promise.all(
    open.map(async (run) => {
      const asked = await runs.questions(place.projectId, run.id);
      return { run, waiting: asked.filter(({ status }) => status === 'open') };
    }),
  );
}

export function stateOf({ status, data }: Run, waiting: readonly Notification[]): SessionState {
  if (status === 'waiting') return 'interrupted';
  if (waiting.length > 0) return 'waiting for you';
  return data.for === 'session' ? data.state : 'working';
}

import type { Notification } from '../../../src/schema/notification.ts';
import type { Run } from '../../../src/schema/run.ts';

/** The state of a run, for people. `look` is how it is shown. */
export interface RunState {
  text: string;
  look: 'held' | 'running' | 'done' | 'failed';
}

/** Ends that are not a failure. */
const CALM = ['parked', 'stopped', 'interrupted'];

/** Why a run ended, for people. */
export const endWords = (reason: string): string => reason.replaceAll('_', ' ');

export function runState(run: Run, questions: readonly Notification[]): RunState {
  if (run.end && run.status === 'ended') {
    const reason = String(run.end.reason);
    if (reason === 'ok') return { text: 'done', look: 'done' };
    return CALM.includes(reason)
      ? { text: 'stopped', look: 'done' }
      : { text: `failed: ${endWords(reason)}`, look: 'failed' };
  }
  if (questions.some(({ status }) => status === 'open')) return { text: 'waiting for you', look: 'held' };
  if (run.status === 'waiting') return { text: 'stopped', look: 'running' };
  if (run.data.for === 'session')
    return { text: run.data.state, look: run.data.state === 'idle' ? 'done' : 'running' };
  return { text: run.status === 'said' ? 'saving its work' : 'working', look: 'running' };
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Event } from '../../../src/schema/event.ts';
import { messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import { onEvent, onReturn } from '../state/live.ts';
import { leftOut } from '../state/session.ts';

/** The events of a run: those that are stored, then those that come. */
export function useRunEvents(
  projectId: string,
  runId: string,
): { events: readonly Event[]; problem: string | undefined } {
  const events = useSignal<readonly Event[]>([]);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const take = (fresh: readonly Event[]) => {
      const known = new Set(events.peek().map(({ number }) => number));
      const added = fresh.filter(({ number }) => !known.has(number));
      if (added.length > 0) events.value = [...events.peek(), ...added].sort((a, b) => a.number - b.number);
      problem.value = undefined;
    };
    const read = () =>
      hub.runEvents(projectId, runId).then(take, (error: unknown) => {
        if (!leftOut(error)) problem.value = messageOf(error);
      });
    void read();
    const stopReturns = onReturn(() => void read());
    const stopEvents = onEvent((event) => {
      if (event.type === 'run.event' && event.projectId === projectId && event.data.id === runId)
        take([event]);
    });
    return () => {
      stopReturns();
      stopEvents();
    };
  }, [projectId, runId]);
  return { events: events.value, problem: problem.value };
}

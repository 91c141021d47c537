import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Event } from '../../../src/schema/event.ts';
import { messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import { onEvent, onReturn } from '../state/live.ts';
import { leftOut } from '../state/session.ts';

/** Events within this time are rendered once. */
const MOMENT_MS = 60;

/** The events of a run: stored ones, then live ones; undefined until they are read. */
export function useRunEvents(
  projectId: string,
  runId: string,
): { events: readonly Event[] | undefined; problem: string | undefined } {
  const events = useSignal<readonly Event[] | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const known = new Map<number, Event>();
    /** Everything up to here was read; live events may have gaps before them. */
    let cursor: number | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      events.value = [...known.values()].sort((a, b) => a.number - b.number);
    };
    const take = (fresh: readonly Event[]) => {
      for (const event of fresh) known.set(event.number, event);
      timer ??= setTimeout(draw, MOMENT_MS);
      problem.value = undefined;
    };
    const read = async () => {
      try {
        const stored = await hub.runEvents(projectId, runId, cursor);
        cursor = stored.at(-1)?.number ?? cursor;
        take(stored);
      } catch (error) {
        if (!leftOut(error)) problem.value = messageOf(error);
      }
    };
    void read();
    const stopReturns = onReturn(() => void read());
    const stopEvents = onEvent((event) => {
      if (event.type === 'run.event' && event.projectId === projectId && event.data.id === runId)
        take([event]);
    });
    return () => {
      clearTimeout(timer);
      stopReturns();
      stopEvents();
    };
  }, [projectId, runId]);
  return { events: events.value, problem: problem.value };
}

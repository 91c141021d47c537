import type { ComponentChildren } from 'preact';
import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import type { Starting } from '../api/hub.ts';
import { useAction } from '../state/use-action.ts';
import { AgentChoice } from './agent-choice.tsx';
import { chosenStart, WorkersChoice } from './workers-choice.tsx';

interface Props {
  /** The button's label: "Work on this task". */
  verb: string;
  work: TaskProgress;
  /** What is happening, or happened last, in a sentence. */
  children: ComponentChildren;
  /** The button's label once the work has begun. */
  again?: string | undefined;
  start(as: Starting): Promise<unknown>;
  pause(): Promise<unknown>;
  /** Ends it for good; missing if that is the same as a pause. */
  stop?: (() => Promise<unknown>) | undefined;
  onChange(): void;
}

/** Starts, pauses and resumes work of the hub's agents, and shows its state. */
export function WorkBar({ verb, work, children, again, start, pause, stop, onChange }: Props) {
  const { problem, busy, run } = useAction();
  const act = (action: () => Promise<unknown>) => () => run(action).then(onChange);
  return (
    <section class="work-bar" aria-label="Work">
      <p class="work-state" role="status">
        {children}
      </p>
      {work.error !== null && !work.running && <p class="problem">{work.error}</p>}
      <div class="work-actions">
        {work.running ? (
          <>
            <button type="button" disabled={busy.value} onClick={act(pause)}>
              Pause
            </button>
            {stop && (
              <button type="button" class="quiet" disabled={busy.value} onClick={act(stop)}>
                Stop
              </button>
            )}
          </>
        ) : (
          <>
            <button
              type="button"
              class="primary"
              disabled={busy.value}
              onClick={act(() => start(chosenStart(work.workers)))}
            >
              {again ?? verb}
            </button>
            {again === undefined && <AgentChoice />}
            <WorkersChoice workers={work.workers} />
          </>
        )}
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

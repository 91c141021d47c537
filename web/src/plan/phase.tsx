import { useEffect, useRef } from 'preact/hooks';
import { counted } from '../../../src/schema/counted.ts';
import type { PlanView } from '../../../src/schema/plan-view.ts';
import type { TaskState } from '../../../src/schema/task-state.ts';

export type PhaseView = PlanView['phases'][number];

interface Props {
  phase: PhaseView;
  state: TaskState;
  /** The phase that was opened. */
  chosen: boolean;
  /** The number of the audit's findings in it. */
  found: number;
}

export function Phase({ phase, state, chosen, found }: Props) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) item.current?.scrollIntoView({ block: 'start' });
  }, [chosen]);
  const done = phase.tasks.filter((task) => task.done || state === 'done').length;
  return (
    <li ref={item} class="phase">
      <details open={chosen}>
        <summary>
          <span class="phase-id">{phase.id}</span>
          <span class="phase-title" dir="auto">
            {phase.title}
          </span>
          <span class="number phase-found">{found > 0 && counted(found, 'finding')}</span>
          <span class="number">
            {done}/{phase.tasks.length} tasks
          </span>
          <span class="phase-status">{state}</span>
        </summary>
        <div class="phase-body">
          <p class="faint">
            {phase.path}
            {phase.depends_on.length > 0 && `, after ${phase.depends_on.join(', ')}`}
          </p>
          {phase.criteria.length > 0 && (
            <ul>
              {phase.criteria.map(({ id, text, line }) => (
                <li key={line}>
                  {id && <code>{id}</code>} {text}
                </li>
              ))}
            </ul>
          )}
          <ul class="checks">
            {phase.tasks.map(({ text, done, line }) => (
              <li key={line}>{`${done ? '☑' : '☐'} ${text}`}</li>
            ))}
          </ul>
          {phase.gates.map(({ name, command, line }) => (
            <p key={line} class="gate-command">
              {name} {command && <code>{command}</code>}
            </p>
          ))}
        </div>
      </details>
    </li>
  );
}

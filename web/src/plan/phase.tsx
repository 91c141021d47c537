import type { PlanView } from '../../../src/schema/plan-view.ts';

export type PhaseView = PlanView['phases'][number];

export function Phase({ phase }: { phase: PhaseView }) {
  const done = phase.tasks.filter((task) => task.done || phase.status === 'completed').length;
  return (
    <li class="phase">
      <details>
        <summary>
          <span class="phase-id">{phase.id}</span>
          <span class="phase-title">{phase.title}</span>
          <span class="number">
            {done}/{phase.tasks.length} tasks
          </span>
          <span class="phase-status">{phase.status.replace('_', ' ')}</span>
        </summary>
        <div class="phase-body">
          <p class="faint">{phase.path}</p>
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

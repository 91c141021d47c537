import { useSignal } from '@preact/signals';
import type { Decision } from '../../../src/schema/decision.ts';
import type { Project } from '../../../src/schema/project.ts';
import { hub } from '../api/hub.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { answerText, oneLine } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';

/** How many at first, and added on demand. */
const STEP = 20;

/** What people decided in a project, newest first. */
export function Decisions({ project }: { project: Project }) {
  const most = useSignal(STEP);
  const decisions = useLive(project.id, `${most.value}`, (id) => hub.decisions(id, most.value), [
    'notification.resolved',
    'notification.updated',
    'settings.updated',
  ]);
  const { problem, run } = useAction();
  return (
    <section>
      <h2>Decisions in {project.name}</h2>
      <LoadedView value={decisions.value}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <p class="faint">
              Your answers appear here. If the same question comes up again, Fermata shows your last answer
              with it.
            </p>
          ) : (
            <>
              <ul class="rows decisions">
                {rows.map((decision) => (
                  <Row
                    key={decision.id}
                    decision={decision}
                    onEnd={() => void run(() => hub.endStanding(project.id, decision.id))}
                  />
                ))}
              </ul>
              {next !== undefined && <ShowEarlier onShow={() => (most.value += STEP)} />}
            </>
          )
        }
      </LoadedView>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

function Row({ decision, onEnd }: { decision: Decision; onEnd(): void }) {
  const { question, answer, note, by, at, standing, replacedBy } = decision;
  return (
    <li>
      <p class="decision-question" dir="auto">
        {oneLine(question)}
      </p>
      <p class="decision-by">
        {by.actor.name} · <At at={at} />
      </p>
      <p class="decision-answer" dir="auto">
        {replacedBy === null ? <strong>{answerText(answer)}</strong> : <s>{answerText(answer)}</s>}{' '}
        {note && <span class="faint">{note}</span>}
        {replacedBy !== null && <span class="faint">Replaced by a later answer.</span>}
      </p>
      {standing && (
        <p class="standing-state">
          <span class="state">Fermata gives this answer automatically.</span>
          <button type="button" onClick={onEnd}>
            Ask me again
          </button>
        </p>
      )}
    </li>
  );
}

import type { Project } from '../../../src/schema/project.ts';
import { hub } from '../api/hub.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { answerText } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';

const MOST = 50;

/** What people decided in a project, newest first. */
export function Decisions({ project }: { project: Project }) {
  const decisions = useLive(project.id, 'decisions', (id) => hub.decisions(id, MOST), [
    'notification.resolved',
    'settings.updated',
  ]);
  const { problem, run } = useAction();
  return (
    <section>
      <h2>Decisions in {project.name}</h2>
      <LoadedView value={decisions.value}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="faint">Each answer is kept here, and comes with the same question the next time.</p>
          ) : (
            <ul class="rows decisions">
              {rows.map(({ id, question, answer, note, by, at, standing }) => (
                <li key={id}>
                  <p dir="auto">{question}</p>
                  <p>
                    <strong>{answerText(answer)}</strong> {note && <span class="faint">{note}</span>}
                  </p>
                  <p class="faint">
                    {by.actor.name} · <At at={at} />
                  </p>
                  {standing && (
                    <p class="standing-state">
                      <span class="state">The same question is answered like this by itself.</span>
                      <button type="button" onClick={() => void run(() => hub.endStanding(project.id, id))}>
                        Ask me again
                      </button>
                    </p>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

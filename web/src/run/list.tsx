import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { useLive } from '../state/use-live.ts';
import { Ago } from '../ui/ago.tsx';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';

export function RunsPage() {
  const project = currentProject.value;
  const runs = useLive(project?.id, 'runs', hub.runs, ['run.event']);
  return (
    <main class="page" id="main">
      <h1>Runs</h1>
      <LoadedView value={runs.value}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No agent has run yet">
              <p>
                Start one: <Command>fermata draft "Reminders by mail" --agent claude</Command>
              </p>
            </Empty>
          ) : (
            <ul class="rows">
              {rows.map(({ id, agent, source, sourceId, status, startedAt, end }) => (
                <li key={id}>
                  <a href={hrefOf('run', project?.id ?? '', id)}>
                    <strong>{sourceId}</strong>
                    <span>
                      {agent} · {source}
                    </span>
                    <span class={`state ${status}`}>{end ? String(end.reason) : status}</span>
                    <span class="number">
                      <Ago at={startedAt} /> ago
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </main>
  );
}

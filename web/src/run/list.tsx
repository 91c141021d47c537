import type { Run } from '../../../src/schema/run.ts';
import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { open } from '../state/ledger.ts';
import { useLive } from '../state/use-live.ts';
import { useTasks } from '../state/use-tasks.ts';
import { duration } from '../text/words.ts';
import { Ago } from '../ui/ago.tsx';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { NoProject } from '../ui/no-project.tsx';
import { runState } from './run-state.ts';
import { titleOfRun } from './run-title.ts';

export function RunsPage() {
  const project = currentProject.value;
  const runs = useLive(project?.id, 'runs', hub.runs, ['run.event']);
  useTasks(project?.id);
  return (
    <main class="page" id="main">
      <h1>Runs</h1>
      {!project && <NoProject />}
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
              {rows.map((run) => (
                <Row key={run.id} run={run} />
              ))}
            </ul>
          )
        }
      </LoadedView>
    </main>
  );
}

function Row({ run }: { run: Run }) {
  const { id, projectId, agent, source, sourceId, startedAt, endedAt } = run;
  const { text, look } = runState(
    run,
    open.value.filter(({ resume }) => resume?.run === id),
  );
  return (
    <li>
      <a href={hrefOf('run', projectId, id)}>
        <strong dir="auto">{titleOfRun(run)}</strong>
        <span>{[agent, source, ...(source === 'execute' ? [sourceId] : [])].join(' · ')}</span>
        <span class={`state ${look}`}>{text}</span>
        <span class="number">
          {endedAt && `${duration(Date.parse(endedAt) - Date.parse(startedAt))}, `}
          <Ago at={startedAt} /> ago
        </span>
      </a>
    </li>
  );
}

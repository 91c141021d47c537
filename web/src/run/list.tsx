import { useSignal } from '@preact/signals';
import { askerWords } from '../../../src/schema/asker.ts';
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
import { PageHead } from '../ui/page-head.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';
import { runState } from './run-state.ts';
import { placeOf, titleOfRun } from './run-title.ts';

/** How many at first, and added on demand. */
const STEP = 100;

export function RunsPage() {
  const project = currentProject.value;
  const most = useSignal(STEP);
  const runs = useLive(project?.id, `${most.value}`, (id) => hub.runs(id, most.value), ['run.event']);
  useTasks(project?.id);
  return (
    <main class="page" id="main">
      <PageHead title="Runs" page="runs" />
      {!project && <NoProject />}
      <LoadedView value={runs.value}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <Empty title="No runs yet">
              <p>
                Start one: <Command>fermata draft "Reminders by mail" --agent claude</Command>
              </p>
            </Empty>
          ) : (
            <>
              <ul class="rows runs">
                {rows.map((run) => (
                  <Row key={run.id} run={run} />
                ))}
              </ul>
              {next !== undefined && <ShowEarlier onShow={() => (most.value += STEP)} />}
            </>
          )
        }
      </LoadedView>
    </main>
  );
}

function Row({ run }: { run: Run }) {
  const { id, projectId, agent, source, sourceId, startedAt, endedAt, data } = run;
  const purpose =
    data.for === 'session' ? placeOf(run) : source === 'execute' ? sourceId : askerWords[source];
  const { text, look } = runState(
    run,
    open.value.filter(({ resume }) => resume?.run === id),
  );
  return (
    <li>
      <a href={hrefOf('run', projectId, id)}>
        <strong dir="auto">{titleOfRun(run)}</strong>
        <span>{`${agent} · ${purpose}`}</span>
        <span class={`state ${look}`}>{text}</span>
        <span class="number">
          {endedAt && `took ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`}
        </span>
        <span class="number">
          <Ago at={startedAt} /> ago
        </span>
      </a>
    </li>
  );
}

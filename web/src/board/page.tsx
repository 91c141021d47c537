import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { open } from '../state/ledger.ts';
import { useLive } from '../state/use-live.ts';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { NoProject } from '../ui/no-project.tsx';
import { Card } from './card.tsx';
import { Graph } from './graph.tsx';
import { type ShownTask, showTasks } from './task-state.ts';

const COLUMNS = [
  { title: 'Waits for you', states: ['held'] },
  { title: 'In progress', states: ['running'] },
  { title: 'Ready', states: ['ready'] },
  { title: 'Later', states: ['waiting'] },
  { title: 'Closed', states: ['done', 'failed'] },
] as const;

/** More than that is no picture any more. */
const MOST_NODES = 120;
const MOST_CARDS = 60;

export function BoardPage() {
  const project = currentProject.value;
  const tasks = useLive(project?.id, 'tasks', hub.tasks, ['task.updated']);
  return (
    <main class="page board" id="main">
      <h1>Board</h1>
      {!project && <NoProject />}
      <LoadedView value={tasks.value}>
        {({ rows, next }) => {
          if (rows.length === 0) return <NoTasks />;
          const shown = showTasks(
            rows,
            open.value.filter(({ projectId }) => projectId === project?.id),
          );
          return (
            <>
              <Dependencies shown={shown} />
              <div class="columns">
                {COLUMNS.map(({ title, states }) => (
                  <Column
                    key={title}
                    title={title}
                    tasks={shown.filter(({ state }) => (states as readonly string[]).includes(state))}
                  />
                ))}
              </div>
              {next !== undefined && (
                <p class="faint">These are the first {rows.length} tasks; there are more.</p>
              )}
            </>
          );
        }}
      </LoadedView>
    </main>
  );
}

/** What is done and far behind tells nothing about what comes: only what is not closed, and what it comes from. */
function Dependencies({ shown }: { shown: readonly ShownTask[] }) {
  if (shown.every(({ task }) => task.dependsOn.length === 0)) return null;
  const near = new Set(
    shown.flatMap(({ task }) => (task.status === 'closed' ? [] : [task.id, ...task.dependsOn])),
  );
  const nodes = near.size === 0 ? shown : shown.filter(({ task }) => near.has(task.id));
  if (nodes.length > MOST_NODES) return <p class="faint">{nodes.length} tasks are too many for a picture.</p>;
  return (
    <Graph
      label="Tasks and what they wait for"
      nodes={nodes.map(({ task, state, detail }) => ({
        id: task.id,
        dependsOn: task.dependsOn,
        title: task.title,
        detail,
        state,
        href: hrefOf('task', task.projectId, task.id),
      }))}
    />
  );
}

function Column({ title, tasks }: { title: string; tasks: readonly ShownTask[] }) {
  return (
    <section class="column" aria-label={title}>
      <h2>
        {title} <span class="count">{tasks.length}</span>
      </h2>
      <ul>
        {tasks.slice(0, MOST_CARDS).map((shown) => (
          <Card key={shown.task.id} {...shown} />
        ))}
      </ul>
      {tasks.length > MOST_CARDS && <p class="faint">and {tasks.length - MOST_CARDS} more</p>}
    </section>
  );
}

function NoTasks() {
  return (
    <Empty title="No tasks yet">
      <p>
        A plan that is run becomes tasks here. By hand:{' '}
        <Command>fermata tasks add "Write the parser"</Command>
      </p>
    </Empty>
  );
}

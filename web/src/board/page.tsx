import { currentProject } from '../state/current-project.ts';
import { open } from '../state/ledger.ts';
import { loadMoreTasks, type TaskList } from '../state/tasks.ts';
import { useTasks } from '../state/use-tasks.ts';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { NoProject } from '../ui/no-project.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Column } from './column.tsx';
import { Dependencies } from './dependencies.tsx';
import { Feedback } from './feedback.tsx';
import { lastClosedFirst, showTasks } from './task-state.ts';

const COLUMNS = [
  { title: 'Waiting for you', states: ['held'], status: 'blocked' },
  { title: 'In progress', states: ['running'], status: 'in_progress' },
  { title: 'Ready', states: ['ready'], status: 'open' },
  { title: 'Later', states: ['waiting'], status: 'open' },
  { title: 'Closed', states: ['done', 'failed'], status: 'closed' },
] as const;

export function BoardPage() {
  const project = currentProject.value;
  const list = useTasks(project?.id);
  return (
    <main class="page board" id="main">
      <PageHead title="Board" page="board" />
      {project ? (
        <>
          <Feedback key={project.id} project={project.id} />
          <LoadedView value={list}>
            {(tasks) => <Tasks key={project.id} project={project.id} {...tasks} />}
          </LoadedView>
        </>
      ) : (
        <NoProject />
      )}
    </main>
  );
}

function Tasks({ project, tasks, next, cut }: TaskList & { project: string }) {
  if (tasks.length === 0) return <NoTasks />;
  const asked = open.value.filter(({ projectId }) => projectId === project);
  const shown = showTasks(tasks, asked);
  return (
    <>
      <Dependencies shown={shown} />
      <div class="columns">
        {COLUMNS.map(({ title, states, status }) => {
          const own = shown.filter(({ state }) => (states as readonly string[]).includes(state));
          return (
            <Column
              key={title}
              title={title}
              tasks={status === 'closed' ? own.toSorted(lastClosedFirst) : own}
              isCut={cut.includes(status)}
            />
          );
        })}
      </div>
      {next !== undefined && <More project={project} loaded={tasks.length} />}
    </>
  );
}

function More({ project, loaded }: { project: string; loaded: number }) {
  return (
    <LoadMore class="board-more" load={() => loadMoreTasks(project)}>
      {loaded.toLocaleString('en')} tasks loaded, open ones first. There are more.
    </LoadMore>
  );
}

function NoTasks() {
  return (
    <Empty title="No tasks yet">
      <p>
        When you run a plan, its phases appear here. To add a task yourself:{' '}
        <Command>fermata tasks add "Write the parser"</Command>
      </p>
    </Empty>
  );
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { counted } from '../../../src/schema/counted.ts';
import type { PlanView } from '../../../src/schema/plan-view.ts';
import type { Task } from '../../../src/schema/task.ts';
import { jointState, stateLook, stateOf, type TaskState, waitsFor } from '../../../src/schema/task-state.ts';
import { hub } from '../api/hub.ts';
import { Graph, type ShownNode } from '../board/graph.tsx';
import { hrefOf } from '../route.ts';
import { now } from '../state/clock.ts';
import { open } from '../state/ledger.ts';
import { useLive } from '../state/use-live.ts';
import { useTasks } from '../state/use-tasks.ts';
import { Crumbs } from '../ui/crumbs.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Issues } from './issues.tsx';
import { Phase, type PhaseView } from './phase.tsx';
import { PlanRun } from './plan-run.tsx';

interface Props {
  project: string;
  plan: string;
  phase: string | undefined;
}

/** A plan: its phases as a graph, the audit's findings with their lines, and each phase in full. */
export function PlanPage({ project, plan, phase }: Props) {
  const looked = useSignal(0);
  const list = useTasks(project);
  const tasks = list.state === 'loaded' ? list.data.tasks : [];
  const found = useLive(project, `${plan} ${looked.value}`, (id) => hub.plan(id, plan), [
    'task.updated',
    'notification.added',
    'notification.resolved',
  ]);
  const lookAgain = () => {
    looked.value += 1;
  };
  return (
    <main class="page plan" id="main">
      <Crumbs project={project} page="plans" title="Plans" id={plan} />
      <LoadedView value={found.value}>
        {(view) => (
          <WholePlan
            view={view}
            stateOf={(each) => stateOfPhase(each, plan, tasks)}
            hrefOfPhase={(id) => hrefOf('plan', project, plan, id)}
            phase={phase}
            run={<PlanRun project={project} plan={plan} view={view} onChange={lookAgain} />}
          />
        )}
      </LoadedView>
    </main>
  );
}

interface WholeProps {
  view: PlanView;
  stateOf(phase: PhaseView): TaskState;
  hrefOfPhase(id: string): string;
  phase: string | undefined;
  run: ComponentChildren;
}

function WholePlan({
  view: { title, phases, audit, files },
  stateOf: stateNow,
  hrefOfPhase,
  phase: chosen,
  run,
}: WholeProps) {
  const done = phases.filter((phase) => stateNow(phase) === 'done').length;
  const issues = audit?.issues ?? [];
  return (
    <>
      <h1>{title}</h1>
      <p class="facts">
        {(audit !== null || phases.length > 0) && (
          <span>
            {done} of {phases.length} phases completed
          </span>
        )}
        {audit ? <Audited summary={audit.summary} /> : <span>{withoutFolder(phases.length > 0)}</span>}
      </p>
      {run}
      <Graph
        label="Phases and their dependencies"
        nodes={phases.map((phase) => ({ ...phaseNode(phase, stateNow(phase)), href: hrefOfPhase(phase.id) }))}
      />
      {issues.length > 0 && <Issues issues={issues} files={files} />}
      <ol class="phases">
        {phases.map((phase) => (
          <Phase
            key={phase.id}
            phase={phase}
            state={stateNow(phase)}
            chosen={phase.id === chosen}
            found={issues.filter(({ file }) => file === phase.path).length}
          />
        ))}
      </ol>
    </>
  );
}

function Audited({ summary: { errors, warnings } }: Pick<NonNullable<PlanView['audit']>, 'summary'>) {
  if (errors + warnings === 0) return <span>The audit found no problems.</span>;
  return (
    <span class={errors > 0 ? 'problem' : ''}>
      The audit found {[...some(errors, 'error'), ...some(warnings, 'warning')].join(' and ')}.
    </span>
  );
}

const withoutFolder = (isKnown: boolean) =>
  isKnown
    ? 'The hub has no copy of this project. These are the phases as they were approved.'
    : 'Nobody has run this plan yet. A worker reads it from the branch that you name.';

const some = (count: number, what: string) => (count === 0 ? [] : [counted(count, what)]);

function phaseNode({ id, title, depends_on }: PhaseView, state: TaskState): ShownNode {
  return { id, dependsOn: depends_on, title: `${id} ${title}`, detail: state, state: stateLook[state] };
}

/** From the tasks of the phase and its variants; the file only says so of a phase that nobody has run here. */
function stateOfPhase({ id, status }: PhaseView, plan: string, tasks: readonly Task[]): TaskState {
  const own = tasks.filter((task) => task.id === `${plan}/${id}` || task.id.startsWith(`${plan}/${id}-`));
  if (own.length === 0) return status === 'completed' ? 'done' : 'not started';
  return jointState(
    own.map((task) =>
      stateOf(
        task,
        open.value.filter((each) => each.projectId === task.projectId && waitsFor(task.id, each)),
        now.value,
      ),
    ),
  );
}

import { useSignal } from '@preact/signals';
import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { useLive } from '../state/use-live.ts';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { NoProject } from '../ui/no-project.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { NewPlan } from './new-plan.tsx';

export function PlansPage() {
  const project = currentProject.value;
  const plans = useLive(project?.id, 'plans', hub.plans, ['task.updated']);
  return (
    <main class="page" id="main">
      <PageHead title="Plans" page="plans" />
      {!project && <NoProject />}
      {project && <NewPlan project={project.id} />}
      <LoadedView value={plans.value}>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <NoPlans />
            ) : (
              <ul class="rows">
                {rows.map(({ name, title, phases, completed }) => (
                  <li key={name}>
                    <a href={hrefOf('plan', project?.id ?? '', name)}>
                      <strong>{title}</strong>
                      <span>{name}</span>
                      <progress max={Math.max(1, phases)} value={completed} aria-label="Phases completed" />
                      <span class="number">
                        {completed} of {phases}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
            {rows.every(({ from }) => from === 'ledger') && <OpenByName project={project?.id ?? ''} />}
          </>
        )}
      </LoadedView>
    </main>
  );
}

/** For a plan that only the repository has, because the hub has no folder to list. */
function OpenByName({ project }: { project: string }) {
  const name = useSignal('');
  return (
    <form
      class="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = hrefOf('plan', project, name.value.trim());
      }}
    >
      <label for="plan-name">Open a plan that is not listed: enter the name of its folder in plans/</label>
      <input
        id="plan-name"
        type="text"
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <button type="submit" disabled={name.value.trim() === ''}>
        Open
      </button>
    </form>
  );
}

function NoPlans() {
  return (
    <Empty title="No plans yet">
      <p>Make one above, or in a terminal:</p>
      <p>
        From an idea: <Command>fermata draft "Reminders by mail"</Command>
      </p>
      <p>
        From your issues: <Command>fermata plan-from-issues</Command>
      </p>
    </Empty>
  );
}

import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { currentProject } from '../state/current-project.ts';
import { useLive } from '../state/use-live.ts';
import { Command, Empty } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { NoProject } from '../ui/no-project.tsx';
import { PageHead } from '../ui/page-head.tsx';

export function PlansPage() {
  const project = currentProject.value;
  const plans = useLive(project?.id, 'plans', hub.plans, ['task.updated']);
  return (
    <main class="page" id="main">
      <PageHead title="Plans" page="plans" />
      {!project && <NoProject />}
      <LoadedView value={plans.value}>
        {(rows) =>
          rows.length === 0 ? (
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
          )
        }
      </LoadedView>
    </main>
  );
}

function NoPlans() {
  return (
    <Empty title="No plans yet">
      <p>
        From an idea: <Command>fermata draft "Reminders by mail"</Command>
      </p>
      <p>
        From your issues: <Command>fermata plan-from-issues</Command>
      </p>
    </Empty>
  );
}

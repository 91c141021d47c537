import { useEffect, useRef } from 'preact/hooks';
import { BoardPage } from './board/page.tsx';
import { InboxPage } from './inbox/page.tsx';
import { InsightsPage } from './insights/page.tsx';
import { PlansPage } from './plan/list.tsx';
import { PlanPage } from './plan/page.tsx';
import { hrefOf, type Route } from './route.ts';
import { RunsPage } from './run/list.tsx';
import { RunPage } from './run/page.tsx';
import { SettingsPage } from './settings/page.tsx';
import { loaded, problem, projects } from './state/ledger.ts';
import { route } from './state/location.ts';
import { session } from './state/session.ts';
import { TaskPage } from './tasks/page.tsx';
import { Banner } from './ui/banner.tsx';
import { Empty } from './ui/empty.tsx';
import { Help } from './ui/help.tsx';
import { Late } from './ui/late.tsx';
import { Nav } from './ui/nav.tsx';
import { SignIn } from './ui/sign-in.tsx';

export function App() {
  switch (session.value.state) {
    case 'checking':
      return <Late>Connecting …</Late>;
    case 'signed-out':
      return <SignIn />;
    case 'signed-in':
      return (
        <div class={loaded.value || problem.value ? 'shell' : 'shell reading'}>
          <button type="button" class="skip-link" onClick={focusMain}>
            Skip to content
          </button>
          <Nav />
          {problem.value && !loaded.value ? (
            <Unreachable problem={problem.value} />
          ) : (
            <Page route={route.value} />
          )}
          {!loaded.value && !problem.value && <Late>Loading …</Late>}
          <Banner />
          <Help />
        </div>
      );
    default: {
      const never: never = session.value;
      return never;
    }
  }
}

function focusMain(): void {
  const main = document.getElementById('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus({ preventScroll: true });
}

/** Without this check, these pages would show another project. */
const isOfUnknownProject = (route: Route): boolean =>
  'project' in route &&
  route.page !== 'inbox' &&
  loaded.value &&
  !projects.value.some(({ id }) => id === route.project);

function Page({ route }: { route: Route }) {
  const before = useRef(route.page);
  useEffect(() => {
    // Keyboard and screen-reader users get the focus on the new page; the inbox focuses the question itself.
    if (before.current !== route.page && route.page !== 'inbox') focusMain();
    before.current = route.page;
  }, [route.page]);
  if (isOfUnknownProject(route)) return <Nowhere title="Project not found" />;
  switch (route.page) {
    case 'inbox':
      return <InboxPage />;
    case 'board':
      return <BoardPage />;
    case 'task':
      return <TaskPage key={`${route.project} ${route.task}`} project={route.project} task={route.task} />;
    case 'plans':
      return <PlansPage />;
    case 'plan':
      return (
        <PlanPage
          key={`${route.project} ${route.plan}`}
          project={route.project}
          plan={route.plan}
          phase={route.phase}
        />
      );
    case 'runs':
      return <RunsPage />;
    case 'run':
      return <RunPage key={route.run} project={route.project} run={route.run} />;
    case 'insights':
      return <InsightsPage />;
    case 'settings':
      return <SettingsPage />;
    case 'unknown':
      return <Nowhere title="Page not found" />;
    default: {
      const never: never = route;
      return never;
    }
  }
}

function Nowhere({ title }: { title: string }) {
  return (
    <main class="page" id="main">
      <h1 class="unseen">Fermata</h1>
      <Empty title={title}>
        <p>
          Go to the <a href={hrefOf('inbox')}>inbox</a>.
        </p>
      </Empty>
    </main>
  );
}

function Unreachable({ problem }: { problem: string }) {
  return (
    <main class="page" id="main">
      <h1 class="unseen">Fermata</h1>
      <Empty title="The hub is not responding">
        <p>{problem}</p>
        <p>This page keeps trying to reconnect.</p>
      </Empty>
    </main>
  );
}

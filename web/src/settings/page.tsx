import { hrefOf } from '../route.ts';
import { allowAlerts, permission } from '../state/arrivals.ts';
import { currentProject } from '../state/current-project.ts';
import { logOut, session } from '../state/session.ts';
import { useAction } from '../state/use-action.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Autonomy } from './autonomy.tsx';
import { Decisions } from './decisions.tsx';
import { Projects } from './projects.tsx';
import { Recorded } from './recorded.tsx';
import { Tokens } from './tokens.tsx';

export function SettingsPage() {
  const project = currentProject.value;
  return (
    <main class="page settings" id="main">
      <PageHead title="Settings" page="settings" />
      {project && (
        <p>
          <a href={hrefOf('insights', project.id)}>What questions cost in {project.name}</a>
        </p>
      )}
      {project && <Autonomy key={project.id} project={project} />}
      {project && <Decisions key={`${project.id} decisions`} project={project} />}
      {project && <Recorded key={`${project.id} recorded`} project={project} />}
      <Projects />
      <Tokens />
      <Alerts />
      <ThisBrowser />
    </main>
  );
}

function Alerts() {
  return (
    <section>
      <h2>Browser notifications</h2>
      {permission.value === 'default' && (
        <button type="button" onClick={() => void allowAlerts()}>
          Notify me of new questions
        </button>
      )}
      {permission.value === 'granted' && (
        <p>You are notified of new questions while this page is in the background.</p>
      )}
      {permission.value === 'denied' && (
        <p>This browser blocks notifications from this site. Allow them in its settings.</p>
      )}
      {permission.value === 'unsupported' && <p>This browser does not support them.</p>}
    </section>
  );
}

function ThisBrowser() {
  const { problem, run } = useAction();
  return (
    <section>
      <h2>This browser</h2>
      <p>Signed in as {session.value.state === 'signed-in' ? session.value.who.name : ''}.</p>
      <button type="button" onClick={() => void run(logOut)}>
        Sign out
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  );
}

import { resumeCommand } from '../../../src/text/question-view.ts';
import { hub, type RunWithQuestions } from '../api/hub.ts';
import { hrefOfNotification } from '../inbox/shown.ts';
import { hrefOf } from '../route.ts';
import { useLive } from '../state/use-live.ts';
import { useTasks } from '../state/use-tasks.ts';
import { titleOf } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { Crumbs } from '../ui/crumbs.tsx';
import { Command } from '../ui/empty.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Log } from './log.tsx';
import { runLog, usageSoFar } from './run-log.ts';
import { runState } from './run-state.ts';
import { placeOf, titleOfRun } from './run-title.ts';
import { Timeline } from './timeline-bar.tsx';
import { Usage } from './usage.tsx';
import { useRunEvents } from './use-run-events.ts';

/** One running agent: what it does now, what it used, and how long it waited for a person. */
export function RunPage({ project, run }: { project: string; run: string }) {
  const found = useLive(project, run, (id) => hub.run(id, run), [
    'run.event',
    'notification.added',
    'notification.resolved',
  ]);
  return (
    <main class="page run" id="main">
      <Crumbs project={project} page="runs" title="Runs" id={run} />
      <LoadedView value={found.value}>{(run) => <RunView run={run} />}</LoadedView>
    </main>
  );
}

function RunView({ run }: { run: RunWithQuestions }) {
  useTasks(run.projectId);
  const { events: read, problem } = useRunEvents(run.projectId, run.id);
  const events = read ?? [];
  const usage = usageSoFar(events) ?? run.end?.usage;
  const waiting = run.questions.filter(({ status }) => status === 'open');
  const { text, look } = runState(run, run.questions);
  return (
    <>
      <h1 dir="auto">{titleOfRun(run)}</h1>
      <p class="facts">
        <span class={`state ${look}`}>{text}</span>
        <span>{run.agent}</span>
        <span>
          started <At at={run.startedAt} />
        </span>
        {run.data.for === 'session' ? (
          <span>{placeOf(run)}</span>
        ) : (
          run.source === 'execute' && (
            <a href={hrefOf('task', run.projectId, run.sourceId)}>task {run.sourceId}</a>
          )
        )}
        {run.data.for === 'session' && run.sessionId && (
          <Command>{resumeCommand(run.agent, run.sessionId)}</Command>
        )}
      </p>
      {waiting.map((notification) => (
        <a key={notification.id} class="waits-for" href={hrefOfNotification(notification)}>
          <span>Waiting for you</span> <bdi>{titleOf(notification)}</bdi>
        </a>
      ))}
      <Timeline run={run} questions={run.questions} />
      {usage && <Usage usage={usage} />}
      {problem && <p class="problem">{problem}</p>}
      {!read && !problem && <div class="loading" aria-busy="true" />}
      <Log lines={runLog(events, run.questions)} />
    </>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { hub, type RunWithQuestions } from '../api/hub.ts';
import { hrefOfNotification } from '../inbox/shown.ts';
import { hrefOf } from '../route.ts';
import { useLive } from '../state/use-live.ts';
import { useTasks } from '../state/use-tasks.ts';
import { titleOf } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { type LogLine, lastUsage, runLog } from './run-log.ts';
import { runState } from './run-state.ts';
import { titleOfRun } from './run-title.ts';
import { Timeline } from './timeline-bar.tsx';
import { Usage } from './usage.tsx';
import { useRunEvents } from './use-run-events.ts';

/** One agent at work: what it does now, what it used, and how long it waited for a person. */
export function RunPage({ project, run }: { project: string; run: string }) {
  const found = useLive(project, run, (id) => hub.run(id, run), [
    'run.event',
    'notification.added',
    'notification.resolved',
  ]);
  return (
    <main class="page run" id="main">
      <p class="crumbs">
        <a href={hrefOf('runs', project)}>Runs</a> › {run}
      </p>
      <LoadedView value={found.value}>{(run) => <RunView run={run} />}</LoadedView>
    </main>
  );
}

function RunView({ run }: { run: RunWithQuestions }) {
  useTasks(run.projectId);
  const { events: read, problem } = useRunEvents(run.projectId, run.id);
  const events = read ?? [];
  const usage = (run.end?.usage as Record<string, number> | undefined) ?? lastUsage(events);
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
        {run.source === 'execute' && (
          <a href={hrefOf('task', run.projectId, run.sourceId)}>task {run.sourceId}</a>
        )}
      </p>
      {waiting.map((notification) => (
        <a key={notification.id} class="waits-for" href={hrefOfNotification(notification)}>
          <span>Waits for you</span> <bdi>{titleOf(notification)}</bdi>
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

/** The last lines are what one comes for. */
const STEP = 500;

function Log({ lines }: { lines: readonly LogLine[] }) {
  const box = useRef<HTMLOListElement>(null);
  const drawn = useSignal(STEP);
  const first = Math.max(0, lines.length - drawn.value);
  useEffect(() => {
    const { current } = box;
    // Who scrolled up to read something is left there.
    if (current && current.scrollHeight - current.scrollTop - current.clientHeight < 160)
      current.scrollTop = current.scrollHeight;
  }, [lines.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <ol ref={box} class="log" aria-label="What happened" tabIndex={0}>
      {first > 0 && (
        <li class="log-earlier">
          <button type="button" onClick={() => (drawn.value += STEP)}>
            Show {Math.min(STEP, first)} earlier lines
          </button>
        </li>
      )}
      {lines.slice(first).map(({ at, kind, text }, index) => (
        <li key={first + index} class={`log-${kind}`}>
          <At at={at} />
          <span class="log-kind">{kind}</span>
          <span class="log-text" dir="auto">
            {text}
          </span>
        </li>
      ))}
    </ol>
  );
}

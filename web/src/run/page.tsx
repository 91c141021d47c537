import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Event } from '../../../src/schema/event.ts';
import type { Run } from '../../../src/schema/run.ts';
import { messageOf } from '../api/error.ts';
import { hub } from '../api/hub.ts';
import { hrefOfNotification } from '../inbox/shown.ts';
import { hrefOf } from '../route.ts';
import { now } from '../state/clock.ts';
import { open } from '../state/ledger.ts';
import { onEvent } from '../state/live.ts';
import { leftOut } from '../state/session.ts';
import { useLive } from '../state/use-live.ts';
import { duration } from '../text/words.ts';
import { At } from '../ui/ago.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { questionsOf } from './questions-of.ts';
import { type LogLine, runLog, usageOf } from './run-log.ts';
import { timeline, timeOf } from './timeline.ts';

/** One agent at work: what it does now, what it used, and how long it waited for a person. */
export function RunPage({ project, run }: { project: string; run: string }) {
  const found = useLive(project, run, (id) => hub.run(id, run), ['run.event']);
  return (
    <main class="page run" id="main">
      <p class="crumbs">
        <a href={hrefOf('runs', project)}>Runs</a> › {run}
      </p>
      <LoadedView value={found.value}>{(run) => <RunView run={run} />}</LoadedView>
    </main>
  );
}

function RunView({ run }: { run: Run }) {
  const { events, problem } = useEvents(run);
  const usage = (run.end?.usage as Record<string, number> | undefined) ?? usageOf(run.id, events);
  const waitsFor = open.value.find(({ resume }) => resume?.run === run.id);
  return (
    <>
      <h1>{run.sourceId}</h1>
      <p class="facts">
        <span class={`state ${run.status}`}>{run.end ? String(run.end.reason) : run.status}</span>
        <span>{run.agent}</span>
        <span>
          started <At at={run.startedAt} />
        </span>
        {waitsFor && (
          <a class="card-question" href={hrefOfNotification(waitsFor)}>
            {waitsFor.questions[0]?.text}
          </a>
        )}
      </p>
      <Timeline run={run} events={events} />
      {usage && <Usage usage={usage} />}
      {problem && <p class="problem">{problem}</p>}
      <Log lines={runLog(run.id, events)} />
    </>
  );
}

function Timeline({ run, events }: { run: Run; events: readonly Event[] }) {
  const segments = timeline(run, questionsOf(run.id, events), now.value);
  const all = Math.max(1, timeOf('work', segments) + timeOf('wait', segments));
  const [work, wait] = [timeOf('work', segments), timeOf('wait', segments)];
  return (
    <figure class="timeline">
      <div
        class="timeline-bar"
        role="img"
        aria-label={`Worked ${duration(work)}, waited for you ${duration(wait)}`}
      >
        {segments.map(({ kind, from, to }) => (
          <span
            key={from}
            class={kind}
            style={{ flexGrow: Math.max(0.002, (to - from) / all) }}
            title={`${kind === 'wait' ? 'waited' : 'worked'} ${duration(to - from)}`}
          />
        ))}
      </div>
      <figcaption>
        <span class="key work">worked {duration(work)}</span>
        <span class="key wait">waited for you {duration(wait)}</span>
      </figcaption>
    </figure>
  );
}

const TITLES: Record<string, string> = {
  input_tokens: 'input',
  inputTokens: 'input',
  output_tokens: 'output',
  outputTokens: 'output',
  cache_read_input_tokens: 'from cache',
  cacheReadTokens: 'from cache',
  cache_creation_input_tokens: 'to cache',
  cacheCreationTokens: 'to cache',
  costUsd: 'cost',
};

function Usage({ usage }: { usage: Record<string, number> }) {
  return (
    <dl class="usage" aria-label="Tokens and cost">
      {Object.entries(usage)
        .filter(([, value]) => typeof value === 'number')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{TITLES[name] ?? name}</dt>
            <dd>{name === 'costUsd' ? `$${value.toFixed(2)}` : value.toLocaleString('en')}</dd>
          </div>
        ))}
    </dl>
  );
}

function Log({ lines }: { lines: readonly LogLine[] }) {
  const end = useRef<HTMLLIElement>(null);
  const last = lines.at(-1)?.number;
  useEffect(() => {
    const box = end.current?.parentElement;
    // Who scrolled up to read something is left there.
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < 120) box.scrollTop = box.scrollHeight;
  }, [last]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <ol class="log" aria-label="What happened" tabIndex={0}>
      {lines.map(({ number, at, kind, text }) => (
        <li key={number} class={kind}>
          <At at={at} />
          <span class="log-kind">{kind}</span>
          <span class="log-text">{text}</span>
        </li>
      ))}
      <li ref={end} class="log-end" aria-hidden="true" />
    </ol>
  );
}

/** The events of the project since the run began, live. */
function useEvents(run: Run): { events: readonly Event[]; problem: string | undefined } {
  const events = useSignal<readonly Event[]>([]);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const take = (fresh: readonly Event[]) => {
      const known = new Set(events.peek().map(({ number }) => number));
      const all = [...events.peek(), ...fresh.filter(({ number }) => !known.has(number))];
      events.value = all.sort((a, b) => a.number - b.number);
    };
    hub.runEvents(run.projectId, run.id).then(take, (error: unknown) => {
      if (!leftOut(error)) problem.value = messageOf(error);
    });
    return onEvent((event) => {
      if (event.projectId === run.projectId) take([event]);
    });
  }, [run.projectId, run.id]);
  return { events: events.value, problem: problem.value };
}

import { useSignal } from '@preact/signals';
import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import { hub, type TaskWithWork } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { AgentChoice } from '../work/agent-choice.tsx';
import { chosenStart, WorkersChoice, workersState } from '../work/workers-choice.tsx';

const sources = {
  draft: { label: 'An idea', says: 'What should be built?', needsText: true },
  convert: { label: 'A text', says: 'The plan in your own words, as Markdown', needsText: true },
  plan_from_issues: {
    label: 'Issues',
    says: 'A folder of issues in the repository (empty: the issues on GitHub)',
    needsText: false,
  },
} as const;

type Source = keyof typeof sources;
const isSource = (value: string): value is Source => Object.hasOwn(sources, value);

/** Has an agent make a plan, and shows the plans that are being made. */
export function NewPlan({ project }: { project: string }) {
  const source = useSignal<Source>('draft');
  const name = useSignal('');
  const text = useSignal('');
  const looked = useSignal(0);
  const { problem, busy, run } = useAction();
  const making = useLive(project, `making ${looked.value}`, readMaking, [
    'notification.added',
    'notification.resolved',
    'run.event',
    'task.updated',
  ]);
  const list = making.value.state === 'loaded' ? making.value.data : [];
  const workers = list.find(({ work }) => work.workers)?.work.workers;
  const { says, needsText } = sources[source.value];
  const isReady = name.value.trim() !== '' && (!needsText || text.value.trim() !== '');
  const send = () =>
    run(async () => {
      const input = inputOf(source.value, name.value.trim(), text.value.trim());
      await hub.addWork(project, source.value, input, chosenStart(workers));
      name.value = '';
      text.value = '';
      looked.value += 1;
    });
  return (
    <section class="feedback" aria-label="New plan">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !busy.value) void send();
        }}
      >
        <div class="work-actions">
          <label class="agent-choice">
            <span>New plan from</span>
            <select
              value={source.value}
              onChange={({ currentTarget: { value } }) => {
                if (isSource(value)) source.value = value;
              }}
            >
              {Object.entries(sources).map(([kind, { label }]) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label class="agent-choice">
            <span>Name</span>
            <input
              value={name.value}
              placeholder="opening-hours"
              onInput={(event) => {
                name.value = event.currentTarget.value;
              }}
            />
          </label>
        </div>
        <label for="new-plan">{says}</label>
        <textarea
          id="new-plan"
          dir="auto"
          rows={needsText ? 4 : 1}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <div class="work-actions">
          <button type="submit" disabled={busy.value || !isReady}>
            Make the plan
          </button>
          <AgentChoice />
          <WorkersChoice workers={workers} />
        </div>
        <p class="problem" role="alert">
          {problem.value}
        </p>
      </form>
      {list.length > 0 && (
        <ul class="feedback-list">
          {list.map(({ id, title, work }) => (
            <li key={id}>
              <a href={hrefOf('task', project, id)}>{title}</a> <em>{stateOf(work)}</em>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function inputOf(kind: Source, name: string, text: string): object {
  const plan = `plans/${name}`;
  switch (kind) {
    case 'draft':
      return { plan, idea: text, adaptive: true };
    case 'convert':
      return { plan, text };
    case 'plan_from_issues':
      return text === '' ? { plan } : { plan, fromDir: text };
    default:
      return kind satisfies never;
  }
}

/** Plans that are not ready yet, those that wait or failed included. */
async function readMaking(project: string): Promise<TaskWithWork[]> {
  const kinds = Object.keys(sources).filter(isSource);
  const tasks = (await Promise.all(kinds.map((kind) => hub.tasksOfKind(project, kind)))).flat();
  const left = tasks.filter(({ status }) => status !== 'closed');
  return Promise.all(left.map(({ id }) => hub.task(project, id)));
}

function stateOf(work: TaskProgress): string {
  const theirs = workersState(work);
  if (theirs !== undefined) return theirs;
  if (work.running) return 'An agent is writing it. Its questions come to your inbox.';
  return work.error ?? 'Not running.';
}

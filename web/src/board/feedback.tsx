import { useSignal } from '@preact/signals';
import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import type { Feedback as GivenFeedback } from '../../../src/schema/work.ts';
import { hub } from '../api/hub.ts';
import { hrefOf } from '../route.ts';
import { open } from '../state/ledger.ts';
import { useAction } from '../state/use-action.ts';
import { useLive } from '../state/use-live.ts';
import { AgentChoice } from '../work/agent-choice.tsx';
import { chosenStart, WorkersChoice, workersState } from '../work/workers-choice.tsx';

/** Takes feedback, and shows the results of the latest entries. */
export function Feedback({ project }: { project: string }) {
  const text = useSignal('');
  const looked = useSignal(0);
  const { problem, busy, run } = useAction();
  const recent = useLive(project, `feedback ${looked.value}`, readRecent, [
    'notification.added',
    'notification.resolved',
    'run.event',
    'task.updated',
  ]);
  const list = recent.value.state === 'loaded' ? recent.value.data : [];
  const workers = list.find(({ work }) => work.workers)?.work.workers;
  const lookAgain = () => {
    looked.value += 1;
  };
  const send = () =>
    run(async () => {
      const { id } = await hub.addFeedback(project, text.value.trim());
      text.value = '';
      await hub.startTask(project, id, chosenStart(workers));
    }).then(lookAgain);
  const resume = (id: string) => () =>
    run(() => hub.startTask(project, id, chosenStart(workers))).then(lookAgain);
  return (
    <section class="feedback" aria-label="Feedback">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.value.trim() !== '' && !busy.value) void send();
        }}
      >
        <label for="feedback">What could be better?</label>
        <textarea
          id="feedback"
          dir="auto"
          rows={2}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <div class="work-actions">
          <button type="submit" disabled={busy.value || text.value.trim() === ''}>
            Send feedback
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
          {list.map(({ feedback, work }) => (
            <li key={feedback.id}>
              <span dir="auto">{feedback.text}</span> <em>{stateOf(feedback, work)}</em>
              {(feedback.result?.tasks ?? []).map((task) => (
                <a key={task} href={hrefOf('task', project, task)}>
                  {task}
                </a>
              ))}
              {feedback.status === 'open' && !work.running && (
                <button type="button" class="quiet" disabled={busy.value} onClick={resume(feedback.id)}>
                  Evaluate
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

async function readRecent(project: string) {
  const recent = await hub.feedback(project);
  return Promise.all(
    recent.map(async (feedback) => ({ feedback, work: (await hub.task(project, feedback.id)).work })),
  );
}

function stateOf({ id, status, result }: GivenFeedback, work: TaskProgress): string {
  const { running, error } = work;
  if (status === 'done') return result?.summary ?? 'done';
  if (open.value.some(({ sourceId }) => sourceId === id))
    return 'The Analyst has a question for you, in the inbox.';
  const theirs = workersState(work);
  if (theirs !== undefined) return theirs;
  if (running) return 'The Analyst is reading it.';
  return error ?? 'Not evaluated yet.';
}

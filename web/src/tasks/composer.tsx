import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { setUnsent, unsentTo } from '../state/unsent.ts';
import { useAction } from '../state/use-action.ts';

interface Props {
  task: Task;
  onSaid(message: ChatMessage): void;
  onChange(): void;
}

/** Sends a message to the agent of a task, without a question. */
export function Composer({ task, onSaid, onChange }: Props) {
  const { problem, busy, run } = useAction();
  const mayNot = () => busy.value || unsentTo(task).trim() === '';
  const reopen = () => {
    void run(async () => {
      await hub.patchTask(task.projectId, task.id, { status: 'open' });
      onChange();
    });
  };
  const say = (interrupt = false) => {
    if (mayNot()) return;
    const said = unsentTo(task);
    void run(async () => {
      onSaid(await hub.say(task.projectId, task.id, said.trim(), interrupt));
      // Text typed meanwhile stays.
      if (unsentTo(task) === said) setUnsent(task, '');
    });
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <label for="composer">Message to the agent</label>
      {task.status === 'closed' && (
        <p class="faint">
          This task is closed, so nobody will read a message.{' '}
          <button type="button" disabled={busy.value} onClick={reopen}>
            Reopen it
          </button>
        </p>
      )}
      <textarea
        id="composer"
        dir="auto"
        rows={2}
        value={unsentTo(task)}
        onInput={(event) => setUnsent(task, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) say();
        }}
      />
      <div class="composer-buttons">
        <button type="submit" disabled={mayNot()}>
          Send
        </button>
        {task.status === 'in_progress' && (
          <button
            type="button"
            disabled={mayNot()}
            title="End the agent's turn, so that it reads this before it does anything else"
            onClick={() => say(true)}
          >
            Interrupt and send
          </button>
        )}
      </div>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}

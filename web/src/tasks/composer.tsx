import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { setUnsent, unsentTo } from '../state/unsent.ts';
import { useAction } from '../state/use-action.ts';

/** Sends a message about a task without a question. */
export function Composer({ task, onSaid }: { task: Task; onSaid(message: ChatMessage): void }) {
  const { problem, busy, run } = useAction();
  const mayNot = () => busy.value || unsentTo(task).trim() === '';
  const say = () => {
    if (mayNot()) return;
    const said = unsentTo(task);
    void run(async () => {
      onSaid(await hub.say(task.projectId, task.id, said.trim()));
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
      <button type="submit" disabled={mayNot()}>
        Send
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}

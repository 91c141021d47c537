import { useSignal } from '@preact/signals';
import type { ChatMessage, Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { useAction } from '../state/use-action.ts';

/** Says something about a task that no question asks for. */
export function Composer({ task, onSaid }: { task: Task; onSaid(message: ChatMessage): void }) {
  const text = useSignal('');
  const { problem, run } = useAction();
  const say = async () => {
    if (text.value.trim() === '') return;
    onSaid(await hub.say(task.projectId, task.id, text.value.trim()));
    text.value = '';
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void run(say);
      }}
    >
      <label for="composer">Tell the agent something</label>
      <textarea
        id="composer"
        dir="auto"
        rows={2}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run(say);
        }}
      />
      <button type="submit" disabled={text.value.trim() === ''}>
        Send
      </button>
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </form>
  );
}

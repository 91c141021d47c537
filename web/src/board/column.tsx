import { useSignal } from '@preact/signals';
import { Card } from './card.tsx';
import type { ShownTask } from './task-state.ts';

/** How many are shown at first, and added on demand. */
const STEP = 60;

export function Column({
  title,
  tasks,
  isCut,
}: {
  title: string;
  tasks: readonly ShownTask[];
  /** Some are not loaded. */
  isCut: boolean;
}) {
  const drawn = useSignal(STEP);
  const left = tasks.length - drawn.value;
  return (
    <section class="column" aria-label={title}>
      <h2>
        {title} <span class="count">{`${tasks.length}${isCut ? '+' : ''}`}</span>
      </h2>
      <ul>
        {tasks.slice(0, drawn.value).map((shown) => (
          <Card key={shown.task.id} {...shown} />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => (drawn.value += STEP)}>
          Show {Math.min(STEP, left)} of {left} more
        </button>
      )}
    </section>
  );
}

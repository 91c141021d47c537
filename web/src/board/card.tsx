import { hrefOfNotification } from '../inbox/shown.ts';
import { hrefOf } from '../route.ts';
import { titleOf } from '../text/words.ts';
import { Ago } from '../ui/ago.tsx';
import type { ShownTask } from './task-state.ts';

/** A task on the board, with the question that it waits for. */
export function Card({ task, state, detail, question }: ShownTask) {
  return (
    <li class={`card ${state}`}>
      <a class="card-title" dir="auto" href={hrefOf('task', task.projectId, task.id)}>
        {task.title}
      </a>
      <p class="card-meta">
        <span class="card-id" title={task.id}>
          {task.id}
        </span>
        <span title="Priority: 0 is the highest, 4 the lowest">{`P${task.priority}`}</span>
        <span class="card-age">
          {question && 'waiting '}
          <Ago at={question?.createdAt ?? task.updatedAt} />
          {!question && ' ago'}
        </span>
      </p>
      {question ? (
        <a class="card-question" dir="auto" href={hrefOfNotification(question)}>
          {titleOf(question)}
        </a>
      ) : (
        state !== 'ready' && state !== 'done' && <p class="card-detail">{detail}</p>
      )}
    </li>
  );
}

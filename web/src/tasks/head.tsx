import type { Task } from '../../../src/schema/task.ts';
import { hrefOf } from '../route.ts';
import { RichText } from '../text/rich-text.tsx';
import { holderWords } from '../text/words.ts';
import { Crumbs } from '../ui/crumbs.tsx';

const MAX_NAMES = 12;

export function Head({ task, waits }: { task: Task; waits: boolean }) {
  return (
    <>
      <Crumbs project={task.projectId} page="board" title="Board" id={task.id} />
      <h1 dir="auto">{task.title}</h1>
      <p class="facts">
        <span class={`state ${task.status}`}>{waits ? 'waiting for you' : standing(task)}</span>
        {task.assignee && <span title={task.assignee}>{holderWords(task.assignee)}</span>}
        <span>priority {task.priority}</span>
        {task.dependsOn.slice(0, MAX_NAMES).map((id) => (
          <span key={id}>
            after <a href={hrefOf('task', task.projectId, id)}>{id}</a>
          </span>
        ))}
        {task.dependsOn.length > MAX_NAMES && <span>and {task.dependsOn.length - MAX_NAMES} more</span>}
      </p>
      {task.body && <RichText text={task.body} class="task-body" />}
    </>
  );
}

function standing({ status, blockReason, workerWait }: Task): string {
  if (workerWait !== undefined) return workerWait;
  return blockReason === null ? status.replace('_', ' ') : `${status}: ${blockReason}`;
}

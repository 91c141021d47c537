import type { CreateInput, Notification, NotificationKind } from '../../schema/notification.ts';

type Asked = Pick<CreateInput, 'source' | 'notice' | 'resume'>;

/** What kind of notification a request becomes. An approval that comes with a recipe is for an agent that waits for it. */
export function kindOf({ source, notice, resume }: Asked): NotificationKind {
  if (notice) return 'notice';
  if (source === 'gate') return 'gate';
  if (source !== 'approval') return 'question';
  return resume === undefined ? 'approval' : 'permission';
}

/** The run whose agent asks. */
export const runOf = ({ run, resume }: Pick<CreateInput, 'run' | 'resume'>): string | undefined =>
  run ?? resume?.run;

/** Whether `sourceId` names what the answer holds up, if there is such a task. */
export function namesTask(asked: Asked): boolean {
  const kind = kindOf(asked);
  return kind !== 'notice' && (kind !== 'question' || asked.source === 'execute');
}

/**
 * Whether the task that it holds is blocked until it is settled. The agent of a run waits for a permission alive, and a
 * gate stands only in front of the end of its task.
 */
export function blocksTask({ kind, holds }: Pick<Notification, 'kind' | 'holds'>): boolean {
  if (holds.task === undefined) return false;
  switch (kind) {
    case 'question':
    case 'approval':
      return true;
    case 'permission':
      return holds.run === undefined;
    case 'gate':
    case 'notice':
      return false;
    default: {
      const never: never = kind;
      return never;
    }
  }
}

/** Whether the task itself waits for it, and not only an agent that is alive. */
export const isForTask = (asked: Pick<Notification, 'kind' | 'holds'>): boolean =>
  blocksTask(asked) || (asked.kind === 'gate' && asked.holds.task !== undefined);

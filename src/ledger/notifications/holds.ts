import type { CreateInput, Notification, NotificationKind } from '../../schema/notification.ts';

type Asked = Pick<CreateInput, 'source' | 'notice' | 'resume' | 'fence'>;

/**
 * The kind of notification that a request becomes. An approval with a recipe is for an agent that waits for it. Requests
 * cannot name a kind, so none can claim to be something that its source is not.
 */
export function kindOf({ source, notice, resume }: Asked): NotificationKind {
  if (notice) return 'notice';
  if (source === 'gate') return 'gate';
  if (source !== 'approval') return 'question';
  return resume === undefined ? 'approval' : 'permission';
}

/** The run whose agent asks. */
export const runOf = ({ run, resume }: Pick<CreateInput, 'run' | 'resume'>): string | undefined =>
  run ?? resume?.run;

/** Whether `sourceId` names the task that waits for the answer, if it exists. */
export function namesTask(asked: Asked): boolean {
  const kind = kindOf(asked);
  // A reviewer holds up only work that its run holds.
  const isOfWork = asked.source === 'execute' || (asked.source === 'eval' && asked.fence !== undefined);
  return kind !== 'notice' && (kind !== 'question' || isOfWork);
}

/**
 * Whether the held task is blocked until it is settled. For a permission, the run's agent itself waits; a gate only
 * delays the end of its task.
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

/** Whether the task itself waits for it, and not only a running agent. */
export const isForTask = (asked: Pick<Notification, 'kind' | 'holds'>): boolean =>
  blocksTask(asked) || (asked.kind === 'gate' && asked.holds.task !== undefined);

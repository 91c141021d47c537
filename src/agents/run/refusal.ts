import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Run } from '../../schema/run.ts';

/** What an agent gets if its question cannot be asked. It is not stored. */
export function refusal(
  { projectId, source, sourceId }: Pick<Run, 'projectId' | 'source' | 'sourceId'>,
  reason: string,
  by: By,
): Notification {
  return {
    id: 'refused',
    projectId,
    source,
    sourceId,
    kind: 'question',
    holds: {},
    status: 'declined',
    outcome: 'declined',
    questions: [],
    responses: [],
    policy: { kind: 'wait' },
    createdAt: new Date().toISOString(),
    createdBy: by,
    reason,
  };
}

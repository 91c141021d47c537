/** Why a task with an open question is blocked. Programs look for this wording. */
export const OPEN_QUESTION = 'Open Question';

/** Whether a task only waits for an answer. */
export const isAsking = ({ status, blockReason }: { status: string; blockReason: string | null }): boolean =>
  status === 'blocked' && blockReason === OPEN_QUESTION;

/** The beginning of the reason if the work failed. */
export const FAILED = 'Failed: ';

export const hasFailed = ({ status, blockReason }: { status: string; blockReason: string | null }): boolean =>
  status === 'blocked' && (blockReason ?? '').startsWith(FAILED);

/** Part of the reason if the remote refused a push. */
export const REJECTED_PUSH = 'rejected the push to';

/** The beginning of the reason if neither the task nor its agent is to blame. */
export const ENVIRONMENT = 'Environment: ';

export const isStoppedByEnvironment = ({
  status,
  blockReason,
}: {
  status: string;
  blockReason: string | null;
}) => status === 'blocked' && (blockReason ?? '').startsWith(ENVIRONMENT);

/** Why a task whose phase was removed from its plan is blocked. It becomes open again if the phase comes back. */
export const NOT_IN_PLAN = 'No longer in the plan';

/** Why a task that a person no longer wants from workers is blocked. */
export const WITHDRAWN = 'Withdrawn';

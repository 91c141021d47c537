/** Why a task waits when a question of it is open (the wording that programs look for). */
export const OPEN_QUESTION = 'Open Question';

/** Whether a task only waits for an answer. */
export const isAsking = ({ status, blockReason }: { status: string; blockReason: string | null }): boolean =>
  status === 'blocked' && blockReason === OPEN_QUESTION;

/** How the reason of a task begins whose work failed. */
export const FAILED = 'Failed: ';

export const hasFailed = ({ status, blockReason }: { status: string; blockReason: string | null }): boolean =>
  status === 'blocked' && (blockReason ?? '').startsWith(FAILED);

/** What the reason contains of a task that stopped because its remote refused a push. */
export const REJECTED_PUSH = 'rejected the push to';

/** How the reason of a task begins that stopped although neither it nor its agent is to blame. */
export const ENVIRONMENT = 'Environment: ';

export const isStoppedByEnvironment = ({
  status,
  blockReason,
}: {
  status: string;
  blockReason: string | null;
}) => status === 'blocked' && (blockReason ?? '').startsWith(ENVIRONMENT);

/** Why a task is left alone that a plan had once. It comes back with its phase. */
export const NOT_IN_PLAN = 'No longer in the plan';

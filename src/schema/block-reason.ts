/** Why a task waits when a question of it is open (the wording that programs look for). */
export const OPEN_QUESTION = 'Open Question';

/** Why a task is left alone that a plan had once. It comes back with its phase. */
export const NOT_IN_PLAN = 'No longer in the plan';

// Data without zod, so that "fermata tasks" can offer it without the validator.
export const taskStatuses = ['open', 'in_progress', 'blocked', 'closed'] as const;

/**
 * What agents do: a `task` that somebody added, a `phase` of a plan, a `run` that reads a plan and queues its phases, plans
 * from an idea, a text or issues, what a role is asked for, the review of a phase, and
 * what issues leave open.
 */
export const taskKinds = [
  'task',
  'phase',
  'run',
  'draft',
  'convert',
  'plan_from_issues',
  'feedback',
  'prd',
  'decompose',
  'review',
  'analyze',
] as const;

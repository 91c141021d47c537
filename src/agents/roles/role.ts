import type { Source } from '../../schema/notification.ts';

/** Who an agent is while it works for us, and on whose behalf its questions are asked. */
export const roles = {
  analyst: 'eval',
  dreamer: 'prd',
  planner: 'plan',
  coder: 'execute',
} as const satisfies Record<string, Source>;

export type RoleName = keyof typeof roles;

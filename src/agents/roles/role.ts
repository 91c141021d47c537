import type { Source } from '../../schema/notification.ts';

/** An agent's identity while it works for us, which is also the source of its questions. */
export const roles = {
  analyst: 'eval',
  dreamer: 'prd',
  planner: 'plan',
  coder: 'execute',
} as const satisfies Record<string, Source>;

export type RoleName = keyof typeof roles;

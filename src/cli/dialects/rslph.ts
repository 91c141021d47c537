import type { Dialect } from './dialect.ts';

/** `rslph plan` turns an idea into a plan with a progress file. */
export const rslph: Dialect = {
  commands: [
    {
      name: 'plan',
      group: 'Work:',
      summary: 'turn an idea into a plan with a progress file',
      load: () => import('./rslph-plan.ts'),
    },
  ],
  adapt: () => undefined,
};

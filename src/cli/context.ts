import type { Context } from '../work/context.ts';
import type { CommandContext } from './command-context.ts';
import { trustContext } from './trust/require-trust.ts';
import type { TrustOptions } from './trust/trust-options.ts';

/** The context of a use case that a command calls. */
export const appContextOf = (context: CommandContext, options: Pick<TrustOptions, 'prompt'>): Context => ({
  ...trustContext(context, options),
  settings: context.settings,
  cwd: process.cwd(),
  project: context.project,
});

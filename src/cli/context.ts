import type { Context } from '../app/context.ts';
import type { CommandContext } from './command-context.ts';
import { trustContext } from './trust/require-trust.ts';
import type { TrustOptions } from './trust/trust-options.ts';

/** What a use case works with when a command calls it. */
export const appContextOf = (context: CommandContext, options: Pick<TrustOptions, 'prompt'>): Context => ({
  ...trustContext(context, options),
  settings: context.settings,
  cwd: process.cwd(),
  project: context.project,
});

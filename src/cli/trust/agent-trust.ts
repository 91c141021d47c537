import * as app from '../../app/trust.ts';
import type { Brought } from '../../work/trust/brought.ts';
import type { CommandContext } from '../command-context.ts';
import { trustContext } from './require-trust.ts';
import type { TrustOptions } from './trust-options.ts';

/** Requires that a person trusts what an agent would run or follow in this folder. */
export function requireAgentTrust(
  context: CommandContext,
  cwd: string,
  options: TrustOptions,
  followed: readonly Brought[] = [],
): Promise<void> {
  const appContext = { ...trustContext(context, options), project: context.project };
  return app.requireAgentTrust(appContext, cwd, options, followed);
}

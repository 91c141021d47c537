import type { Ledger } from '../../ledger/ledger.ts';
import { type Context, type ContextOptions, openContext } from '../context.ts';
import { configContents, ineffective } from './gather.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';

/** A context for commands that run or follow contents of a repository, whose configuration must be trusted first. */
export async function openTrustedContext(
  ledger: Ledger,
  options: ContextOptions,
  trust: TrustOptions,
): Promise<Context> {
  const context = await openContext(ledger, options);
  const { file, own, clone } = context.settings;
  if (!file) return context;
  if (file.problem !== undefined) context.report({ kind: 'notice', text: ineffective(file.problem) });
  if (clone) await context.project(); // before its project gets a question
  await requireTrust(context, own, configContents(file), trust);
  return openContext(ledger, options);
}

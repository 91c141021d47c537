import type { Context } from '../../app/context.ts';
import type { RoleOptions as Consulting, Unfinished } from '../../app/roles/consult-role.ts';
import { timesOf } from '../agents/agent-options.ts';
import { attended } from '../agents/attended.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { reportUnfinished } from './report-unfinished.ts';
import type { RoleOptions } from './role-options.ts';

/**
 * Has a role work and asks its questions at this terminal. If it has no answer, prints why, with the command that
 * continues; otherwise `show` prints the result.
 */
export async function attendRole<T extends { kind: 'done' }>(
  options: RoleOptions,
  goOn: (id: string) => string,
  work: (context: Context, options: Consulting) => Promise<T | Unfinished>,
  show: (done: T) => Promise<void>,
): Promise<void> {
  const times = timesOf(options);
  const { prompt } = options;
  await withTrustedCommandContext(options, async (context) => {
    const stop = new AbortController();
    const appContext = appContextOf(context, options);
    const ask: Context['ask'] = {
      ...appContext.ask,
      stays: () => prompt && isAtTerminal(),
      during: ({ projectId, concerns }, during) =>
        attended(context, { projectId, concerns, stop, prompt }, during),
    };
    const consulting = { ...options, ...times, signal: stop.signal };
    const outcome = await work({ ...appContext, ask }, consulting);
    if (outcome.kind === 'done') return show(outcome);
    const { consultation } = outcome;
    return reportUnfinished(context, outcome, stop.signal.aborted, goOn(consultation.id), options);
  });
}

import type { RoleKind, WorkTask } from '../../schema/work.ts';
import type { Context } from '../../work/context.ts';
import type { RoleOptions as Consulting, Unfinished } from '../../work/kinds/roles/consult-role.ts';
import { timesOf } from '../agents/agent-options.ts';
import { attended } from '../agents/attended.ts';
import { isAtTerminal } from '../at-terminal.ts';
import { withCommandContext, withTrustedCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { printQueued, refuseStrayNeeds } from '../queue-options.ts';
import { reportUnfinished } from './report-unfinished.ts';
import type { RoleOptions } from './role-options.ts';

/**
 * Has a role work and asks its questions at this terminal. If it has no answer, prints why, with the command that
 * continues; otherwise `show` prints the result. With --queue, leaves what `open` stores to workers.
 */
export async function attendRole<T extends { kind: 'done' }>(
  options: RoleOptions,
  resumeCommand: (id: string) => string,
  work: (context: Context, options: Consulting) => Promise<T | Unfinished>,
  show: (done: T) => Promise<void>,
  open: (context: Context, options: Consulting) => Promise<WorkTask<RoleKind>>,
): Promise<void> {
  const times = timesOf(options);
  const { prompt } = options;
  refuseStrayNeeds(options);
  if (options.queue)
    return withCommandContext(options, async (commandContext) => {
      const context = appContextOf(commandContext, options);
      const wanted = { ...options, ...times };
      const { queueRole, sourceOf } = await import('../../work/worker/queue-work.ts');
      const source = await sourceOf(context);
      const task = await open(context, { ...wanted, forWorkers: true });
      await printQueued(await queueRole(context, task, wanted, source), options);
    });
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
    return reportUnfinished(context, outcome, stop.signal.aborted, resumeCommand(outcome.task.id), options);
  });
}

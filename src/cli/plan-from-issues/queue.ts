import { basename, resolve } from 'node:path';
import { parseMilliseconds } from '../../config/duration.ts';
import { slug } from '../../plan/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import { queuePlanning } from '../../work/worker/queue-work.ts';
import { workerPath, workerPlan } from '../../work/worker/worker-path.ts';
import { withCommandContext } from '../command-context.ts';
import { appContextOf } from '../context.ts';
import { printQueued } from '../queue-options.ts';
import type { PlanFromIssuesOptions } from './options.ts';

/** Leaves issues to workers, who read them when they begin. */
export async function queueIssues(options: PlanFromIssuesOptions): Promise<void> {
  refuseWhatStaysHere(options);
  const { fromDir, repo, milestone, label, issue, limit, maxQuestions, maxIterations, again } = options;
  const timeoutMs = parseMilliseconds(options.timeout, '--timeout');
  await withCommandContext(options, async (commandContext) => {
    const context = appContextOf(commandContext, options);
    const folder = fromDir === undefined ? {} : { fromDir: workerPath(context, resolve(fromDir)) };
    const input = {
      plan: workerPlan(context, options.output, nameOf(options)),
      ...{ ...folder, repo, milestone, label, issue, limit, maxQuestions },
      ...{ maxAttempts: maxIterations, planAgain: again },
    };
    const work = { kind: 'plan_from_issues' as const, input };
    await printQueued(await queuePlanning(context, work, { ...options, timeoutMs }), options);
  });
}

const here = {
  fromFile: '--from-file',
  answersFile: '--answers-file',
  questionsOnly: '--questions-only',
  updateIssues: '--update-issues',
} as const;

function refuseWhatStaysHere(options: PlanFromIssuesOptions): void {
  for (const [name, flag] of Object.entries(here))
    if (options[name as keyof typeof here] !== undefined)
      throw new FermataError('invalid', `Workers cannot use ${flag}. Leave it out, or leave out --queue.`);
}

function nameOf({ milestone, fromDir, repo }: PlanFromIssuesOptions): string {
  const name = milestone ?? (fromDir === undefined ? repo : resolve(fromDir));
  return slug(basename(name ?? 'issues'));
}

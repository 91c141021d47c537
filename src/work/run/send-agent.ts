import { rolePrompt } from '../../agents/roles/prompt.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import { resumeRun, startRun } from '../../agents/run/conduct.ts';
import type { RunOptions, RunOutcome } from '../../agents/run/run-options.ts';
import { isCorrection } from '../../agents/run/transcript.ts';
import { requireRoom } from '../../files/write-at-once.ts';
import { isQuestion } from '../../schema/is-question.ts';
import type { Purpose } from '../../schema/run.ts';
import { traced } from '../../telemetry/trace.ts';
import { receiveWork } from '../worktrees/receive-work.ts';
import type { AgentBrief } from './next-move.ts';
import { allows } from './permissions.ts';
import type { TaskContext } from './task-context.ts';

/** Starts an agent on a phase or task, and follows it until it ends or waits. */
export async function sendAgent(
  context: TaskContext,
  brief: AgentBrief,
  about: { merges?: string } = {},
): Promise<RunOutcome> {
  const { run, held, item } = context;
  const { purpose, findings, continues } = brief;
  await requireReady(context);
  await run.confirmTrust(context.worktree);
  const prompt = await promptFor(context, brief);
  const wanted = { projectId: run.around.projectId, source: 'execute' as const, sourceId: held.task.id };
  const { ledger } = run.around;
  const undelivered = await ledger.notifications.undelivered(wanted.projectId, 'execute', held.task.id);
  run.tell(item, `${run.driver.name} ${describeStart(brief)}`);
  const conducted = await traced('agent', { agent: run.driver.name, purpose }, () =>
    startRun(conducting(context), {
      ...wanted,
      prompt,
      corrections: undelivered.filter(isCorrection),
      work: { for: 'task', ...about, ...run.agent, purpose, findings },
      progress: { continues },
    }),
  );
  await receiveWork(context.worktree.path, context.worktree.featureBranch);
  return conducted;
}

/** Why an agent is started, after "to". */
export const purposeWords: Record<Purpose, string> = {
  work: 'do the work',
  fix: 'fix what was found',
  review: "make the reviewer's changes",
  refine: 'make the changes that a person asked for',
  merge: 'resolve merge conflicts',
};

function describeStart({ purpose, failure }: AgentBrief): string {
  if (failure !== undefined) return `tries again: ${failure.split('\n')[0]}`;
  return purpose === 'work' ? 'starts' : `starts again to ${purposeWords[purpose]}`;
}

/** Resumes an agent that waited, or whose process is gone, with the answers it got meanwhile. */
export async function resumeAgent(context: TaskContext, runId: string): Promise<RunOutcome> {
  await requireReady(context);
  context.run.tell(context.item, `${context.run.driver.name} resumes`);
  const { around } = context.run;
  const conducted = await traced('agent', { agent: context.run.driver.name, purpose: 'resume' }, () =>
    resumeRun(conducting(context), around.projectId, runId),
  );
  await receiveWork(context.worktree.path, context.worktree.featureBranch);
  return conducted;
}

/** Checks that we hold the task and that there is disk space to work. */
async function requireReady({ run, held, worktree }: TaskContext): Promise<void> {
  await held.confirm();
  requireRoom([worktree.path, run.around.git.commonDir]);
}

function conducting({ run, held, item, worktree }: TaskContext): RunOptions {
  const { around, driver, setup, tools } = run;
  const gates = item.gates.flatMap(({ command }) => command ?? []);
  return {
    ledger: around.ledger,
    driver,
    setup: {
      ...setup,
      cwd: worktree.path,
      mustAsk: false,
      identity: {
        ...setup.identity,
        FERMATA_TASK_DIR: taskFolder(around.storage, held.task.id),
        ...item.identity,
      },
    },
    fence: held.task.fence,
    startsOver: true,
    signal: held.signal,
    onHold: held.onHold,
    allows: (tool, input) => allows({ folder: worktree.path, gates, tools }, tool, input),
    onEvent: (event) => run.onEvent?.(item, event),
    onRetry: (sentence) => run.tell(item, sentence),
  };
}

async function promptFor({ run, held, item, worktree }: TaskContext, brief: AgentBrief): Promise<string> {
  const { ledger, projectId, storage, cwd } = run.around;
  const input = await item.input(brief, worktree);
  const asked = await ledger.notifications.asked(projectId, 'execute', held.task.id);
  const history = asked.filter((each) => isQuestion(each) && each.status !== 'open');
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const config = writeTaskConfig(storage, held.task, hilConfig);
  const known = `Your autonomy levels are also in ${config} ($FERMATA_TASK_DIR/config.json).`;
  return rolePrompt({ role: 'coder', root: cwd, hilConfig, history, values: { input, known } });
}

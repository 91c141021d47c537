import { setTimeout as sleep } from 'node:timers/promises';
import { agentOf, type RunOutcome, waitsForPerson } from '../../agents/run/run-options.ts';
import { commitAll } from '../../git/commit.ts';
import { isFinal } from '../../ledger/notifications/notification-machine.ts';
import { applyCoderResult } from '../../ledger/tasks/coder-result.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import { traced } from '../../telemetry/trace.ts';
import { leftUnfinished, receiveWork } from '../worktrees/receive-work.ts';
import { isEnvironmentEnd } from './environment-fault.ts';
import { publishWork } from './exchange-work.ts';
import { nextMove } from './next-move.ts';
import { ModelOutage } from './outage.ts';
import { lifeOfAnswer, readHistory, type WorkHistory } from './past-runs.ts';
import { resumeAgent, sendAgent } from './send-agent.ts';
import type { TaskContext } from './task-context.ts';

/**
 * Checks the work of an agent that says it is done. `again`: an agent was started with the findings, or the check was
 * interrupted. `over`: merged and closed, not chosen, or waiting.
 */
type Verify<Context extends TaskContext> = (
  context: Context,
  history: WorkHistory,
) => Promise<'again' | 'over'>;

/** Executes a phase or task as far as possible: agents, gates, people, merge. After a crash it continues where it was. */
export async function executeWork<Context extends TaskContext>(
  context: Context,
  verify: Verify<Context>,
): Promise<void> {
  try {
    await traced('task', attributesOf(context), () => executeMoves(context, verify));
  } catch (error) {
    if (error instanceof Refusal && lastWords.has(error.type)) await recordFailure(context, error.message);
    throw error;
  }
}

const attributesOf = ({ run, held }: TaskContext) => ({ project: run.around.projectId, task: held.task.id });

/** Reported only after everything else has been tried. */
const lastWords = new Set(['agent_failed', 'still_failing']);

async function recordFailure({ run, item }: TaskContext, reason: string): Promise<void> {
  const { ledger, projectId, by, fence } = run.around;
  run.tell(item, `failed: ${reason.split('\n')[0]}`);
  await ledger.phases.add(projectId, item.taskId, by, { kind: 'failed', data: { reason } }, fence);
}

async function executeMoves<Context extends TaskContext>(
  context: Context,
  verify: Verify<Context>,
): Promise<void> {
  const { run, held, worktree } = context;
  // The previous holder may have died before it took over what its agent committed.
  await receiveWork(worktree.path, worktree.featureBranch);
  while (!held.signal.aborted && (await isOpen(context))) {
    const history = await readHistory(run.around.ledger, run.around.projectId, held.task.id);
    const move = nextMove(history.past);
    switch (move.kind) {
      case 'start':
        if (!(await hasEnded(context, sendAgent(context, move)))) return;
        break;
      case 'resume':
        await run.confirmTrust(context.worktree);
        if (!(await resumeRun(context, move.run))) return;
        break;
      case 'ask':
        if (!(await askOpenQuestions(context, history, move.run))) return;
        break;
      case 'verify':
        if ((await verify(context, history)) === 'over') return;
        break;
      case 'wait':
        return;
      case 'give_up':
        throw new Refusal('agent_failed', move.reason);
      default: {
        const never: never = move;
        return never;
      }
    }
  }
}

/** The agent may have closed the task itself. */
async function isOpen({ run, held }: TaskContext): Promise<boolean> {
  const task = await run.around.ledger.tasks.get(run.around.projectId, held.task.id);
  return task.status !== 'closed';
}

/**
 * The previous holder may not have released its agent yet, because the agent's lease expires a moment later. Then the
 * task is released and tried again.
 */
async function resumeRun(context: TaskContext, runId: string): Promise<boolean> {
  try {
    return await hasEnded(context, resumeAgent(context, runId));
  } catch (error) {
    if (!(error instanceof FermataError) || (error.code !== 'conflict' && error.code !== 'waiting'))
      throw error;
    await sleep(RELEASE_MS, undefined, { signal: context.held.signal }).catch(() => undefined);
    return false;
  }
}

const RELEASE_MS = 2000;

/** False if it waits for an answer: its process is gone, and the answer resumes it. */
async function hasEnded({ item }: TaskContext, conducting: Promise<RunOutcome>): Promise<boolean> {
  const outcome = await conducting;
  const { run, end } = outcome;
  const isOver = run.status === 'ended';
  if (!isOver && (waitsForPerson(outcome) || end.reason === 'stopped')) return false;
  if (isEnvironmentEnd(end)) throw new FermataError('unavailable', end.message);
  if (isOver) return true;
  if (end.reason !== 'api_error') throw new Refusal('agent_failed', end.message);
  throw new ModelOutage(end.message, item.resume);
}

/** Commits the work so far; then the task waits for a person. True if it was decided without one. */
async function askOpenQuestions(
  context: TaskContext,
  { runs, past }: WorkHistory,
  runId: string,
): Promise<boolean> {
  const { run, held, item, worktree } = context;
  const { ledger, projectId } = run.around;
  const { task } = held;
  const ended = runs.find(({ id }) => id === runId);
  const result = past.find(({ id }) => id === runId)?.result;
  if (!ended || !result) return false;
  const { agent, cwd } = ended;
  const work = {
    projectId,
    taskId: task.id,
    fence: task.fence,
    resume: { agent, cwd, run: runId, task: task.id },
    life: lifeOfAnswer(ended),
    keep: true,
    commit: async () => {
      await held.confirm();
      if (leftUnfinished(worktree.path) === undefined)
        await commitAll(worktree.path, `${item.label}: work so far, with open questions`);
    },
  };
  const { notification } = await applyCoderResult(ledger, work, result, agentOf(run.driver));
  await publishWork(context);
  return notification !== undefined && isFinal(notification.status);
}

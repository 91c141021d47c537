import { setTimeout as sleep } from 'node:timers/promises';
import { agentOf } from '../../agents/conducting.ts';
import { parseCoderResult } from '../../agents/roles/coder-result.ts';
import { applyCoderResult } from '../../ledger/coder-result.ts';
import { isFinal } from '../../ledger/machine/notification.ts';
import { FermataError } from '../../schema/error.ts';
import type { PhaseRecord } from '../../schema/phase-record.ts';
import { commitAll } from '../git/commit-all.ts';
import { phasesAtWork } from '../phases/phase-at-work.ts';
import { iterationOf } from '../phases/record.ts';
import { startPhase } from '../phases/start.ts';
import { Refusal } from '../refusal.ts';
import { openWorktree } from '../worktrees/open-worktree.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { nextMove } from './next-move.ts';
import { pastRuns } from './past-runs.ts';
import type { PlanRun } from './plan-run.ts';
import { type Outing, resumeAgent, sendAgent } from './send-agent.ts';
import { verifyPhase } from './verify-phase.ts';
import type { HeldTask } from './work-through.ts';

/** Carries a phase as far as it goes: agents, gates, people, merge. Begun anew after any crash, it goes on where it was. */
export async function carryPhase(run: PlanRun, held: HeldTask): Promise<void> {
  const outing = await setOut(run, held);
  try {
    await carry(outing);
  } catch (error) {
    if (error instanceof Refusal && lastWords.has(error.type)) await recordFailure(outing, error.message);
    throw error;
  }
}

/** What is only told once everything that could be tried was tried. */
const lastWords = new Set(['agent_failed', 'still_failing']);

async function recordFailure({ run, at }: Outing, reason: string): Promise<void> {
  const { ledger, projectId, by, fence } = run.place;
  run.tell(at, `failed: ${reason.split('\n')[0]}`);
  const record = (records: PhaseRecord[]) => ({
    kind: 'failed' as const,
    iteration: iterationOf(records),
    data: { reason },
  });
  await ledger.phases.append(projectId, at.taskId, by, record, fence);
}

async function carry(outing: Outing): Promise<void> {
  const { run, held } = outing;
  while (!held.signal.aborted && (await isOpen(outing))) {
    const move = nextMove(await pastRuns(run.place.ledger, run.place.projectId, held.task.id));
    switch (move.kind) {
      case 'start':
        if (!(await hasEnded(sendAgent(outing, move)))) return;
        break;
      case 'resume':
        if (!(await takeUp(outing, move.run))) return;
        break;
      case 'ask':
        if (!(await askOpenQuestions(outing, move.run))) return;
        break;
      case 'verify':
        if ((await verifyPhase(outing)) === 'over') return;
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

async function setOut(run: PlanRun, held: HeldTask): Promise<Outing> {
  const git = { ...run.place.git, confirm: held.confirm };
  const place = { ...run.place, git, fence: held.task.fence };
  const own = { ...run, place };
  const at = phasesAtWork(place.plan, place.name).find(({ taskId }) => taskId === held.task.id);
  if (!at) throw new Refusal('not_found', `The plan has no phase for ${held.task.id} any more.`);
  const { number: phase, variant } = at;
  const plan = planOnRecord(place.checkouts.feature, place.folder);
  const worktree = await openWorktree(place.git, { feature: run.featureBranch, phase, variant, plan });
  await startPhase(place, at, { specialist: run.driver.name, worktree: worktree.branch });
  return { run: own, held, at, worktree };
}

/** An agent may have done everything itself, to the end. */
async function isOpen({ run, held }: Outing): Promise<boolean> {
  const task = await run.place.ledger.tasks.get(run.place.projectId, held.task.id);
  return task.status !== 'closed';
}

/**
 * Whoever had the task before may not have let go of its agent yet: its own lease runs out a moment later. The task is
 * given back then, and looked at again.
 */
async function takeUp(outing: Outing, runId: string): Promise<boolean> {
  try {
    return await hasEnded(resumeAgent(outing, runId));
  } catch (error) {
    if (!(error instanceof FermataError) || (error.code !== 'conflict' && error.code !== 'waiting'))
      throw error;
    await sleep(LET_GO_MS, undefined, { signal: outing.held.signal }).catch(() => undefined);
    return false;
  }
}

const LET_GO_MS = 2000;

/** False where it holds: then its process is gone, and its answer brings it back. */
async function hasEnded(conducted: Promise<{ run: { status: string } }>): Promise<boolean> {
  return (await conducted).run.status === 'ended';
}

/** The work so far is committed; then the task waits for a person. True where it was decided without one. */
async function askOpenQuestions({ run, held, at, worktree }: Outing, runId: string): Promise<boolean> {
  const { ledger, projectId } = run.place;
  const { task } = held;
  const { end, agent, cwd } = await ledger.runs.get(projectId, runId);
  const read = parseCoderResult(String(end?.text ?? ''));
  if (read.kind === 'unreadable') return false;
  const work = {
    projectId,
    taskId: task.id,
    fence: task.fence,
    resume: { agent, cwd, run: runId, task: task.id },
    keep: true,
    commit: async () => {
      await held.confirm();
      await commitAll(worktree.path, `Phase ${at.number}: work so far, with open questions`);
    },
  };
  const { notification } = await applyCoderResult(ledger, work, read.value, agentOf(run.driver));
  return notification !== undefined && isFinal(notification.status);
}

import { FermataError } from '../schema/error.ts';
import type { Notification, ResumeRecipe } from '../schema/notification.ts';
import type { Run } from '../schema/run.ts';
import { answersText } from './answer-text.ts';
import {
  agentOf,
  type Conducted,
  type Conducting,
  isQuestion,
  isUndelivered,
  withdrawApprovals,
} from './conducting.ts';
import { Conductor } from './conductor.ts';
import type { RunEnd } from './driver.ts';
import { isDeadHolder, LEASE_SECONDS, processName } from './lease.ts';

export interface NewRun {
  projectId: string;
  source: Run['source'];
  sourceId: string;
  prompt: string;
  /** What the command needs to go on with this run after a crash. */
  data?: Record<string, unknown>;
}

/**
 * Runs an agent and brings its questions to the ledger and the answers back: a question is stored before anyone is
 * told, an answer before it is sent, and it counts as delivered only when the agent has it.
 */
export async function startRun(conducting: Conducting, wanted: NewRun): Promise<Conducted> {
  const { ledger, driver, setup } = conducting;
  const { projectId, source, sourceId, prompt, data } = wanted;
  const input = {
    projectId,
    agent: driver.name,
    source,
    sourceId,
    cwd: setup.cwd,
    data: { ...data, prompt },
  };
  const run = await ledger.runs.start(input, claim(), agentOf(driver));
  return conduct(conducting, run, (conductor) => conductor.play(driver.start(setup, prompt), []));
}

/**
 * Takes up a run that no process is at any more, with everything that was settled meanwhile. A session that the
 * agent has lost is begun anew, with all questions and answers so far.
 */
export async function resumeRun(
  conducting: Conducting,
  projectId: string,
  runId: string,
): Promise<Conducted> {
  const { ledger, driver, setup } = conducting;
  const run = await take(conducting, projectId, runId);
  await withdrawApprovals(ledger, run, agentOf(driver));
  const questions = (await ledger.runs.questions(projectId, runId)).filter(isQuestion);
  const open = questions.find((question) => question.status === 'open');
  if (open) {
    await ledger.runs.wait(run, agentOf(driver));
    const message = `Run ${runId} waits for an answer to ${open.id}. Give it with: fermata answer ${open.id} VALUE`;
    throw new FermataError('waiting', message);
  }
  const fresh = questions.filter(isUndelivered);
  const anew = () => driver.start(setup, restated(run, questions));
  return conduct(conducting, run, async (conductor) => {
    if (run.sessionId === null) return conductor.play(anew(), fresh);
    const end = await conductor.play(driver.resume(setup, recipeOf(run, fresh), fresh), fresh);
    if (conductor.heard || end.reason !== 'failed') return end;
    await conductor.forgetSession();
    return conductor.play(anew(), fresh);
  });
}

async function conduct(
  conducting: Conducting,
  run: Run,
  play: (conductor: Conductor) => Promise<RunEnd>,
): Promise<Conducted> {
  conducting.onRun?.(run);
  const conductor = new Conductor(conducting, run);
  try {
    return await conductor.close(await play(conductor));
  } catch (error) {
    await conductor.abandon();
    throw error;
  }
}

const claim = () => ({ worker: processName(), leaseSeconds: LEASE_SECONDS });

async function take({ ledger, driver }: Conducting, projectId: string, runId: string): Promise<Run> {
  const { holder } = await ledger.runs.get(projectId, runId);
  const dead = holder !== null && isDeadHolder(holder) ? holder : undefined;
  return ledger.runs.take(projectId, runId, claim(), agentOf(driver), dead);
}

function recipeOf(run: Run, fresh: Notification[]): ResumeRecipe {
  const last = fresh.findLast((notification) => notification.resume?.toolCallId !== undefined);
  return (
    last?.resume ?? { agent: run.agent, sessionId: run.sessionId ?? undefined, cwd: run.cwd, run: run.id }
  );
}

/** The first prompt with everything that was asked and answered since. */
function restated(run: Run, questions: Notification[]): string {
  const answered = questions.filter((question) => question.responses.length > 0);
  return [String(run.data.prompt ?? ''), ...answered.map(answersText)].join('\n\n');
}

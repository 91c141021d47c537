import { existsSync } from 'node:fs';
import { retry, schedules } from '../../files/retry.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { isQuestion } from '../../schema/is-question.ts';
import type { Notification, ResumeRecipe } from '../../schema/notification.ts';
import type { Run, RunProgress, RunWork } from '../../schema/run.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { type AgentSetup, addUsage, type RunEnd } from '../driver.ts';
import { answersText } from '../questions/answer-text.ts';
import { Conductor, newLife } from './conductor.ts';
import { homeId, isDeadHolder, PROCESS_LEASE_SECONDS, processName } from './lease.ts';
import { conversationOf, wordsOf } from './messages.ts';
import { retryAfter } from './patience.ts';
import { agentOf, isAskedByRun, type RunOptions, type RunOutcome, withdrawApprovals } from './run-options.ts';
import { settleAlone } from './settle-alone.ts';
import { compare, hasMessage, isCorrection, isUndelivered } from './transcript.ts';

export interface NewRun {
  projectId: string;
  taskId?: string | undefined;
  source: Run['source'];
  sourceId: string;
  prompt: string;
  /** What it is for, and what the command needs to continue it after a crash. */
  work: RunWork;
  /** What it takes over from earlier runs. */
  progress?: Pick<RunProgress, 'basis' | 'continues' | 'rounds'>;
  /** Amended answers in the prompt; the agent has them once it reacts. */
  corrections?: Notification[];
}

/**
 * Runs an agent, stores its questions in the ledger and delivers the answers. A question is stored before anyone sees it,
 * an answer before it is sent, and an answer counts as delivered only when the agent has it.
 */
export async function startRun(conducting: RunOptions, wanted: NewRun): Promise<RunOutcome> {
  const { ledger, driver, setup } = conducting;
  const { projectId, taskId, source, sourceId, prompt, work, progress, corrections = [] } = wanted;
  const input = {
    projectId,
    taskId,
    agent: driver.name,
    source,
    sourceId,
    cwd: setup.cwd,
    data: { ...work, ...progress, prompt, life: newLife(), ...homeOf(setup) },
  };
  const run = await ledger.runs.start(input, claim(), agentOf(driver));
  crashPoint('run.started');
  return conduct(conducting, run, (conductor) =>
    startSession(conducting, conductor, run, { text: prompt, answers: corrections }),
  );
}

/** Starts an agent that knows nothing yet. */
async function startSession(
  { ledger, driver }: RunOptions,
  conductor: Conductor,
  run: Run,
  { text, answers }: { text: string; answers: Notification[] },
): Promise<RunEnd> {
  const said = await conversationOf(ledger, run);
  const prompt = said.text === '' ? text : `${text.trimEnd()}\n\n${said.text}`;
  return conductor.play((own) => driver.start(own, prompt), { answers, messages: said.news });
}

/**
 * Takes over a run that no process holds any more, and delivers everything its session lacks. A session that no longer
 * exists is replaced by a new one that gets all questions and answers so far.
 */
export async function resumeRun(
  conducting: RunOptions,
  projectId: string,
  runId: string,
): Promise<RunOutcome> {
  const { ledger, driver } = conducting;
  const { run: taken, isCrashed } = await take(conducting, projectId, runId);
  const run = await moveRunHere(conducting, taken);
  await withdrawApprovals(ledger, run, agentOf(driver));
  if (conducting.questions === 'assume') await settleOpen(ledger, run);
  const open = await openQuestions(ledger, run);
  if (open.length > 0) {
    await ledger.runs.wait(run, agentOf(driver));
    throw waitingFor(runId, open);
  }
  return conduct(conducting, run, async (conductor) => {
    if (isCrashed) await conductor.beginLife();
    return continueSession(conducting, conductor, run);
  });
}

/**
 * Ends a run whose process died after its agent had ended. If what the agent made did not get here, the run is left to be
 * resumed without it.
 */
export async function endRun(options: RunOptions, { projectId, id }: Run): Promise<void> {
  const { ledger, driver, has } = options;
  const { run } = await take(options, projectId, id);
  const { commit } = run.end ?? {};
  const isKept = isHere(options, run) || (commit !== undefined && (await has?.(commit)));
  if (!run.end || !isKept) {
    await ledger.runs.unsay(run, agentOf(driver));
    return;
  }
  const conductor = new Conductor(options, run);
  try {
    await conductor.end(run.end);
  } catch (error) {
    await conductor.abandon();
    throw error;
  }
}

const MOVED =
  'The session of this agent is on another machine, or its folder is gone. A new session continues here with the work so far, the questions and the answers.';

/** A session cannot leave its machine, so a new session gets its questions and answers. */
async function moveRunHere(options: RunOptions, run: Run): Promise<Run> {
  if (isHere(options, run)) return run;
  const { ledger, driver, setup, onRetry } = options;
  const moved = await ledger.runs.move(run, { cwd: setup.cwd, ...homeOf(setup) });
  await ledger.runs.report(moved, [{ kind: 'text', text: MOVED }], agentOf(driver));
  onRetry?.(MOVED);
  return moved;
}

/** Whether its session, and what its agent left in its folder, are on this machine. */
function isHere({ setup }: RunOptions, run: Run): boolean {
  const { home } = homeOf(setup);
  const isSameHome = home === undefined || run.data.home === undefined || run.data.home === home;
  return isSameHome && existsSync(run.cwd);
}

const homeOf = ({ home }: AgentSetup): { home?: string } =>
  home === undefined ? {} : { home: homeId(home) };

/** Why a run cannot be resumed yet. */
export function waitingFor(runId: string, open: Notification[]): FermataError {
  const { id = '' } = open[0] ?? {};
  const message = `Run ${runId} is waiting for an answer to ${id}. Answer with: ${cmd`answer ${id} VALUE`}`;
  return new FermataError('waiting', message);
}

/** Brings settled answers and messages to the agent's session, or to a new agent if the session does not exist. */
async function continueSession(conducting: RunOptions, conductor: Conductor, run: Run): Promise<RunEnd> {
  const { ledger, driver, setup } = conducting;
  const { sessionId } = conductor;
  const answered = await answeredIn(ledger, run);
  if (sessionId !== undefined) {
    const transcript = await driver.transcript?.({ ...setup, cwd: run.cwd }, sessionId);
    const { bring, known } = compare(await answersFor(ledger, run, answered), transcript);
    const messages = await queuedFor(ledger, run);
    const isKnown = (each: ChatMessage) => transcript !== undefined && hasMessage(transcript, each);
    await conductor.delivered({ answers: known, messages: messages.filter(isKnown) });
    const news = messages.filter((each) => !isKnown(each));
    const recipe = recipeOf({ ...run, sessionId }, bring);
    const resume = (own: AgentSetup) => driver.resume(own, recipe, bring, wordsOf(news));
    const end = await conductor.play(resume, { answers: bring, messages: news });
    if (end.reason !== 'session_lost') return end;
    await conductor.forgetSession();
  }
  await conductor.beginLife();
  const answers = (await answersFor(ledger, run, answered)).filter(isUndelivered);
  return startSession(conducting, conductor, run, { text: restated(run, answered), answers });
}

/** Resumes an agent that died or whose model is unreachable, as long as patience lasts and nobody has to answer first. */
async function resumeWithRetries(
  conducting: RunOptions,
  conductor: Conductor,
  run: Run,
  play: () => Promise<RunEnd>,
): Promise<RetryResult> {
  let end: RunEnd | undefined;
  let isHeld = false;
  const attempt = async () => {
    if (end?.reason === 'crashed') await conductor.beginLife();
    const next = await (end ? continueSession(conducting, conductor, run) : play());
    end = end ? { ...next, usage: addUsage(end.usage, next.usage) } : next;
    return end;
  };
  const waitAfter = async (last: RunEnd | undefined, failures: number) => {
    if (!last || conductor.sessionId === undefined) return false;
    const wait = retryAfter(last, failures - 1, conducting.patience);
    if (wait !== false) isHeld = (await openQuestions(conducting.ledger, run)).length > 0;
    return isHeld ? false : wait;
  };
  const last = await retry(
    schedules.asLongAsItSays,
    ({ value }, failures) => waitAfter(value, failures),
    attempt,
    {
      signal: conductor.signal,
      onRetry({ value }, failures) {
        if (failures === 1)
          conducting.onRetry?.(`${value?.message} The session is kept; Fermata will retry.`);
      },
    },
  );
  return { end: last, isHeld };
}

type RetryResult = Pick<RunOutcome, 'end' | 'isHeld'>;

/** The agent gets another turn with an answer that was amended after it had it, and with what people said meanwhile. */
async function conduct(
  conducting: RunOptions,
  run: Run,
  play: (conductor: Conductor) => Promise<RunEnd>,
): Promise<RunOutcome> {
  conducting.onRun?.(run);
  const conductor = new Conductor(conducting, run);
  try {
    let retried = await resumeWithRetries(conducting, conductor, run, () => play(conductor));
    while (retried.end.reason === 'ok' || retried.end.reason === 'interrupted') {
      const corrections = (await answeredIn(conducting.ledger, run)).filter(isCorrection);
      if (corrections.length === 0 && (await queuedFor(conducting.ledger, run)).length === 0) break;
      retried = await resumeWithRetries(conducting, conductor, run, () =>
        continueSession(conducting, conductor, run),
      );
    }
    const conducted = await conductor.close(retried);
    crashPoint('run.ended');
    return conducted;
  } catch (error) {
    await conductor.abandon();
    throw error;
  }
}

const claim = () => ({ worker: processName(), leaseSeconds: PROCESS_LEASE_SECONDS });

async function take({ ledger, driver }: RunOptions, projectId: string, runId: string) {
  const { holder, status } = await ledger.runs.get(projectId, runId);
  const dead = holder !== null && isDeadHolder(holder) ? holder : undefined;
  const run = await ledger.runs.take(projectId, runId, claim(), agentOf(driver), dead);
  return { run, isCrashed: status === 'running' };
}

async function openQuestions(ledger: Ledger, { projectId, id }: Run): Promise<Notification[]> {
  const asked = (await ledger.runs.questions(projectId, id)).filter(isAskedByRun);
  return asked.filter(({ status }) => status === 'open');
}

/** What people said to the task of this run that no agent has yet. */
async function queuedFor({ tasks }: Ledger, { projectId, taskId }: Run): Promise<ChatMessage[]> {
  return taskId === null ? [] : tasks.queued(projectId, taskId);
}

/** Settles questions that nobody is asked, in case the agent was killed after it stored one but before its answer. */
async function settleOpen(ledger: Ledger, run: Run): Promise<void> {
  for (const open of await openQuestions(ledger, run)) await settleAlone(ledger, open);
}

/** What the agent was told or has to be told: answers to its questions, and amendments of what its commands asked. */
async function answersFor(
  ledger: Ledger,
  { projectId, id }: Run,
  answered: Notification[],
): Promise<Notification[]> {
  const asked = (await ledger.runs.questions(projectId, id)).filter(isAskedByRun);
  const own = new Set(asked.map((each) => each.id));
  return [...asked, ...answered.filter((each) => isCorrection(each) && !own.has(each.id))];
}

/**
 * What was answered in this run, to the agent's own questions and those of its commands; also amendments of earlier
 * answers for the same task.
 */
async function answeredIn(ledger: Ledger, run: Run): Promise<Notification[]> {
  const asked = await ledger.notifications.asked(run.projectId, run.source, run.sourceId);
  const concerns = (each: Notification) =>
    each.holds.run === run.id || (each.holds.task !== undefined && isCorrection(each));
  return asked.filter((each) => isQuestion(each) && each.responses.length > 0 && concerns(each));
}

function recipeOf(run: Run, fresh: Notification[]): ResumeRecipe {
  const last = fresh.findLast((notification) => notification.resume?.toolCallId !== undefined);
  return (
    last?.resume ?? { agent: run.agent, sessionId: run.sessionId ?? undefined, cwd: run.cwd, run: run.id }
  );
}

/** The first prompt with everything that was answered since. */
function restated(run: Run, answered: Notification[]): string {
  return [run.data.prompt ?? '', ...answered.map(answersText)].join('\n\n');
}

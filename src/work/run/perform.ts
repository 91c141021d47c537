import { setTimeout as sleep } from 'node:timers/promises';
import { noUsage, type RunEnd, type Usage } from '../../agents/driver.ts';
import { endRun, type NewRun, resumeRun, startRun } from '../../agents/run/conduct.ts';
import { agentOf, type RunOptions, type RunOutcome, waitsForPerson } from '../../agents/run/run-options.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isFinal } from '../../ledger/notifications/notification-machine.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import type { Purpose, Run } from '../../schema/run.ts';
import { traced } from '../../telemetry/trace.ts';
import { isEnvironmentEnd } from './faults.ts';
import { type Asker, type History, type PastRun, readHistory, type SentBack, textOf } from './history.ts';
import { type AgentBrief, nextStep, type Step } from './next-step.ts';

/** One piece of work as the loop sees it. `Result` is what an accepted answer becomes. */
export interface Desk<Result> {
  asker: Asker;
  conducting: RunOptions;
  limits: {
    /** How often an agent is started again after a failure. Without this, the work ends, and may be continued. */
    retries?: number;
    /** How often work is sent back for each purpose; without a number, as often as it takes. */
    rounds: Partial<Record<Purpose, number>>;
  };
  /**
   * What to do while a person is asked: `wait` here, `return` so that another process can continue, or `release` the task,
   * which its answers make ready again.
   */
  whenAsked: 'wait' | 'return' | 'release';
  /** Called before each step. `isFirst`: of this process. */
  before?(step: Step, history: History, isFirst: boolean): unknown;
  /** What an agent gets, with everything that happened so far, and what is stored with its run. */
  brief(history: History, brief: AgentBrief): Brief | Promise<Brief>;
  /** Takes over what an agent did so far; called after each agent, and first of all for the previous process. */
  receive?(): Promise<void>;
  judge(answer: Answer): Verdict<Result> | Promise<Verdict<Result>>;
  /** Stores the questions of an answer. */
  ask?(last: PastRun, questions: Question[]): Promise<Notification | undefined>;
}

type Brief = Omit<NewRun, 'projectId' | 'taskId' | 'source' | 'sourceId'>;

/** The answer of an agent that has finished. */
export interface Answer {
  text: string;
  run: Run;
  /** Which attempt it is, from 1. */
  attempt: number;
  usage: Usage;
  history: History;
}

/** What a check says about an answer, or about the work that it reports. */
export type Verdict<Result = never> =
  | { kind: 'ended'; result: Result }
  /** Another agent gets the findings. `merges`: the commit that it has to merge. */
  | { kind: 'send_back'; purpose: Purpose; findings: unknown; merges?: string }
  /** The answer is questions. */
  | { kind: 'ask'; questions: Question[] }
  /** Somebody else has to act first: a person, or those who work on other variants. */
  | { kind: 'wait' }
  /** The work changed while it was judged, so it is judged again. */
  | { kind: 'moved' };

/** `checkedWith`: the commit of the remote's feature branch that the work contains; undefined without a remote. */
export type Checked = { kind: 'pass'; checkedWith?: string } | Exclude<Verdict, { kind: 'ended' }>;

/** How far the work came. */
export type Performed<Result> = { run: Run; sentBack: SentBack[] } & (
  | { kind: 'ended'; result: Result }
  | { kind: 'waiting'; open: Notification[] }
  /** The agent did not finish. `said` is what it said until then, over all its processes. */
  | { kind: 'stopped'; end: RunEnd; said: string; waiting: Notification[] }
  /** It was sent back too often, or its agents failed. Running the same command again starts over. */
  | { kind: 'given_up'; failure?: string }
);

/**
 * The only loop that carries agent work: until it has ended, was given up, or a person has to answer. Each step is read
 * from the ledger: after a crash the same call continues, a finished answer is judged instead of requested again, and
 * nobody is asked twice. Once the caller has used a result, it calls `acceptAnswer`.
 */
export async function perform<Result>(desk: Desk<Result>): Promise<Performed<Result>> {
  const { asker, conducting, limits, whenAsked } = desk;
  const { ledger, confirm, questions = 'ask' } = conducting;
  const rules = { asksPeople: questions === 'ask', retries: limits.retries };
  const heard = new Heard();
  let next: Start | undefined;
  await desk.receive?.();
  for (let isFirst = true; ; isFirst = false) {
    const history = await readHistory(ledger, asker);
    // Confirm after reading, because whoever took over the work may have withdrawn its questions, which looks like
    // "settled".
    await confirm?.();
    const step: Step = next ?? nextStep(history, rules);
    next = undefined;
    await desk.before?.(step, history, isFirst);
    switch (step.kind) {
      case 'start':
      case 'resume': {
        const performed = await employ(desk, step, history, heard);
        if (performed) return performed;
        break;
      }
      case 'keep':
        if (await unlessBusy(desk, step.run, endRun(conducting, step.run)))
          return { kind: 'waiting', open: [], run: step.run, sentBack: history.sentBack };
        break;
      case 'judge': {
        const came = await judge(desk, step.last, history);
        if (came && came.kind !== 'start') return came;
        next = came;
        break;
      }
      case 'wait': {
        const { run, open } = step;
        if (whenAsked === 'wait' && (await allSettled(conducting, open))) break;
        return { kind: 'waiting', open, run, sentBack: history.sentBack };
      }
      case 'give_up':
        return { ...step, kind: 'given_up', sentBack: history.sentBack };
      default: {
        const never: never = step;
        return never;
      }
    }
  }
}

type Start = Extract<Step, { kind: 'start' }>;

async function allSettled({ ledger, signal, onHold }: RunOptions, open: Notification[]): Promise<boolean> {
  onHold?.(true);
  for (const { projectId, id } of open) {
    if (!(await ledger.notifications.wait(projectId, id, signal))) return false;
  }
  onHold?.(false);
  return true;
}

/** Undefined if the ledger says what comes next. */
async function judge<Result>(
  desk: Desk<Result>,
  last: PastRun,
  history: History,
): Promise<Performed<Result> | Start | undefined> {
  const { run } = last;
  const { sentBack } = history;
  const answer = {
    text: textOf(run),
    run,
    attempt: sentBack.length + 1,
    usage: run.end?.usage ?? noUsage,
    history,
  };
  const verdict = await desk.judge(answer);
  crashPoint('assignment.judged');
  switch (verdict.kind) {
    case 'ended':
      // Nothing was done with the answer yet, so a person may still have their say.
      if (desk.asker.work && (await isUnheard(desk))) return undefined;
      return { ...verdict, run, sentBack };
    case 'send_back':
      return sendBack(desk, run, history, verdict);
    case 'ask': {
      const { questions } = verdict;
      const asked = await (desk.ask ? desk.ask(last, questions) : ask(desk, run, questions));
      if (asked && (desk.whenAsked === 'wait' || isFinal(asked.status))) return undefined;
      return { kind: 'waiting', open: asked ? [asked] : [], run, sentBack };
    }
    case 'wait':
      return { kind: 'waiting', open: [], run, sentBack };
    case 'moved':
      return undefined;
    default: {
      const never: never = verdict;
      return never;
    }
  }
}

/** A person said something that no agent has yet. */
async function isUnheard({ asker, conducting }: Desk<unknown>): Promise<boolean> {
  const { projectId, taskId = asker.sourceId } = asker;
  return (await conducting.ledger.tasks.queued(projectId, taskId)).length > 0;
}

/**
 * The judgement of an answer is stored with its run. That of a phase or task is not: gates, reviewers and people keep
 * their own records, so after a crash it is judged again.
 */
async function sendBack(
  { asker, conducting, limits }: Desk<unknown>,
  run: Run,
  { sentBack }: History,
  { purpose, findings, merges }: Extract<Verdict, { kind: 'send_back' }>,
): Promise<Extract<Performed<never>, { kind: 'given_up' }> | Start | undefined> {
  const rounds = sentBack.filter((each) => each.purpose === purpose).length;
  const isLast = rounds >= (limits.rounds[purpose] ?? Number.POSITIVE_INFINITY);
  if (asker.work) {
    await conducting.ledger.runs.judge(run, { kind: isLast ? 'given_up' : 'sent_back', findings });
    crashPoint('assignment.sent-back');
  }
  if (isLast)
    return { kind: 'given_up', run, sentBack: [...sentBack, { text: textOf(run), purpose, findings }] };
  if (asker.work) return undefined;
  return { kind: 'start', purpose, findings: String(findings), ...(merges && { merges }) };
}

async function ask(
  { asker: { projectId, source, sourceId }, conducting }: Desk<unknown>,
  { id, agent, cwd, sessionId }: Run,
  questions: Question[],
): Promise<Notification> {
  const resume = { agent, cwd, run: id, ...(sessionId === null ? {} : { sessionId }) };
  const { fence } = conducting;
  const claim = fence === undefined ? {} : { fence, keep: true };
  const asked = { projectId, source, sourceId, questions, resume, ...claim };
  return (await conducting.ledger.notifications.create(asked, agentOf(conducting.driver))).notification;
}

/** Starts or resumes an agent, and follows it until it ends or waits. */
async function employ<Result>(
  desk: Desk<Result>,
  step: Extract<Step, { kind: 'start' | 'resume' }>,
  history: History,
  heard: Heard,
): Promise<Performed<Result> | undefined> {
  const { conducting, limits, whenAsked } = desk;
  const { sentBack } = history;
  const { name: agent } = conducting.driver;
  const purpose = step.kind === 'start' ? step.purpose : 'resume';
  const conducted = await traced('agent', { agent, purpose }, () =>
    step.kind === 'start'
      ? start(desk, step, history)
      : unlessBusy(desk, step.run, resumeRun(conducting, step.run.projectId, step.run.id)),
  );
  if ('isBusy' in conducted) return { kind: 'waiting', open: [], run: conducted.isBusy, sentBack };
  await desk.receive?.();
  heard.add(conducted);
  const { run, waiting } = conducted;
  const end = withoutSilence(conducted.end);
  if (end.reason === 'ok') {
    if (desk.asker.work) await markDelivered(conducting, history.asked);
    return undefined;
  }
  if (waitsForPerson(conducted)) {
    if (whenAsked === 'release') return { kind: 'waiting', open: waiting, run, sentBack };
    if (!conducting.signal?.aborted) return undefined;
  }
  const isFailure = run.status === 'ended' && !isEnvironmentEnd(end);
  if (isFailure && limits.retries !== undefined) return undefined;
  return { kind: 'stopped', end, said: heard.saidIn(run), waiting, run, sentBack };
}

async function start(desk: Desk<unknown>, brief: AgentBrief, history: History): Promise<RunOutcome> {
  const { work: _, ...asker } = desk.asker;
  return startRun(desk.conducting, { ...asker, ...(await desk.brief(history, brief)) });
}

/**
 * The previous holder of a task may not have released its agent yet, because the agent's lease expires a moment later. Then
 * the task is released and tried again.
 */
async function unlessBusy<T>(
  { conducting, whenAsked }: Desk<unknown>,
  run: Run,
  work: Promise<T>,
): Promise<T | { isBusy: Run }> {
  try {
    return await work;
  } catch (error) {
    const isBusy = error instanceof FermataError && (error.code === 'conflict' || error.code === 'waiting');
    if (!isBusy || whenAsked !== 'release') throw error;
    await sleep(RELEASE_MS, undefined, { signal: conducting.signal }).catch(() => undefined);
    return { isBusy: run };
  }
}
const RELEASE_MS = 2000;

/** An agent without an answer has not finished, whatever its program says. */
function withoutSilence(end: RunEnd): RunEnd {
  if (end.reason !== 'ok' || end.text.trim() !== '') return end;
  return { ...end, reason: 'no_result', message: `${end.message} Its answer is empty.` };
}

/** The finished agent's prompt contained these answers, so they are delivered. */
async function markDelivered({ ledger, driver }: RunOptions, asked: Notification[]): Promise<void> {
  for (const { projectId, id, status } of asked) {
    if (status !== 'delivered') await ledger.notifications.markDelivered(projectId, id, agentOf(driver));
  }
}

/** The accepted answer of this run was used, so the same work starts over from now on. */
export async function acceptAnswer(
  ledger: Ledger,
  run: Run,
  delivered?: { ids: readonly string[]; by: By },
): Promise<void> {
  crashPoint('assignment.used');
  await ledger.runs.judge(run, { kind: 'accepted' }, delivered);
}

/** What the agents of this process said. A run may have several processes, and the ledger only keeps the last. */
class Heard {
  readonly #runs = new Map<string, string[]>();

  add({ run, end }: RunOutcome): void {
    this.#runs.set(run.id, [...(this.#runs.get(run.id) ?? []), end.text]);
  }

  saidIn({ id }: Run): string {
    const said = this.#runs.get(id) ?? [];
    return said.filter((text) => text.trim() !== '').join('\n\n');
  }
}

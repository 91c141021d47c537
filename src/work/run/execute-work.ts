import { rolePrompt } from '../../agents/roles/prompt.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import { agentOf, type RunOptions } from '../../agents/run/run-options.ts';
import { isCorrection } from '../../agents/run/transcript.ts';
import { requireRoom } from '../../files/write-at-once.ts';
import { isAncestor } from '../../git/refs.ts';
import { openQuestionsOf } from '../../ledger/notifications/open-questions.ts';
import { applyCoderResult } from '../../ledger/tasks/coder-result.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Purpose } from '../../schema/run.ts';
import { traced } from '../../telemetry/trace.ts';
import type { OpenWorktree, WantedWorktree } from '../worktrees/open-worktree.ts';
import { receiveWork } from '../worktrees/receive-work.ts';
import { isEnvironmentEnd, ModelOutage } from './faults.ts';
import { type History, lifeOfAnswer, type PastRun } from './history.ts';
import { keepWork } from './keep-work.ts';
import { mergeWork, openPatiently } from './merge-work.ts';
import type { AgentBrief, Step } from './next-step.ts';
import { type Checked, type Desk, type Performed, perform, type Verdict } from './perform.ts';
import { allows } from './permissions.ts';
import type { HeldWork, TaskContext } from './work-run.ts';

/** What phases, and tasks without a plan, have of their own. */
export interface WorkKind<Context extends TaskContext> {
  wanted: WantedWorktree;
  /** Records that the work begins in this worktree. */
  begin(worktree: OpenWorktree): Promise<Context>;
  /** What stands before the merge, in this order. */
  checks: readonly ((context: Context, history: History) => Promise<Checked>)[];
  beforeMerge?(context: Context, history: History): Promise<void>;
  /** Ends the work, which is merged. */
  close(): Promise<void>;
}

/** Executes a phase or task as far as possible: agents, gates, people, merge. After a crash it continues where it was. */
export async function executeWork<Context extends TaskContext>(
  work: HeldWork,
  kind: WorkKind<Context>,
): Promise<void> {
  const context = await kind.begin(await openPatiently(work, kind.wanted));
  const attributes = { project: work.run.around.projectId, task: work.held.task.id };
  await traced('task', attributes, async () => {
    if (await isOver(work)) return;
    const failure = failureOf(work, await perform(deskOf(context, kind)));
    if (failure instanceof Refusal) await recordFailure(work, failure.message);
    if (failure) throw failure;
  });
}

async function recordFailure({ run, item }: HeldWork, reason: string): Promise<void> {
  const { ledger, projectId, by, fence } = run.around;
  run.tell(item, `failed: ${reason.split('\n')[0]}`);
  await ledger.phases.add(projectId, item.taskId, by, { kind: 'failed', data: { reason } }, fence);
}

/** The agent may have closed the task itself. */
async function isOver({ run, held }: HeldWork): Promise<boolean> {
  if (held.signal.aborted) return true;
  const task = await run.around.ledger.tasks.get(run.around.projectId, held.task.id);
  return task.status === 'closed';
}

/** Why a task is blocked or everything stops; undefined if it is closed, or released until somebody has acted. */
function failureOf({ item }: HeldWork, performed: Performed<void>): FermataError | undefined {
  switch (performed.kind) {
    case 'ended':
    case 'waiting':
      return undefined;
    case 'given_up': {
      const { failure } = performed;
      if (failure !== undefined) return new Refusal('agent_failed', failure);
      const { purpose = 'work', findings } = performed.sentBack.at(-1) ?? {};
      const rounds = performed.sentBack.filter((each) => each.purpose === purpose).length - 1;
      const tried = `Gave up after ${rounds} attempts to ${purposeWords[purpose]}`;
      return new Refusal('still_failing', `${tried}: ${findings}`);
    }
    case 'stopped': {
      const { reason, message } = performed.end;
      if (reason === 'stopped') return undefined;
      if (isEnvironmentEnd(performed.end)) return new FermataError('unavailable', message);
      if (reason === 'api_error') return new ModelOutage(message, item.resume);
      return new Refusal('agent_failed', message);
    }
    default: {
      const never: never = performed;
      return never;
    }
  }
}

/** Checks the work of an agent that says it is done, and merges it. */
async function judgeWork<Context extends TaskContext>(
  context: Context,
  kind: WorkKind<Context>,
  history: History,
): Promise<Verdict<void>> {
  await context.held.confirm();
  let checkedWith: string | undefined;
  for (const check of kind.checks) {
    const checked = await check(context, history);
    if (context.held.signal.aborted) return { kind: 'moved' };
    if (checked.kind !== 'pass') return checked;
    checkedWith ??= checked.checkedWith;
  }
  const { ledger, projectId } = context.run.around;
  if ((await ledger.tasks.queued(projectId, context.item.taskId)).length > 0) return { kind: 'moved' };
  await kind.beforeMerge?.(context, history);
  const merged = await mergeWork(context, history, checkedWith);
  if (merged.kind !== 'pass') return merged;
  await kind.close();
  return { kind: 'ended', result: undefined };
}

/** How often an agent is started again for the same kind of finding. A person may want changes as often as they like. */
const MAX_ROUNDS = 3;

function deskOf<Context extends TaskContext>(context: Context, kind: WorkKind<Context>): Desk<void> {
  const { run, held, worktree } = context;
  return {
    asker: { projectId: run.around.projectId, source: 'execute', sourceId: held.task.id },
    conducting: runOptions(context),
    limits: { retries: 1, rounds: { fix: MAX_ROUNDS, review: MAX_ROUNDS, merge: MAX_ROUNDS } },
    whenAsked: 'release',
    before: (step) => (step.kind === 'start' || step.kind === 'resume' ? prepare(context, step) : undefined),
    brief: (history, brief) => briefFor(context, history, brief),
    receive: () => receiveWork(worktree.path, worktree.featureBranch),
    judge: async ({ history }) => {
      if (await isOver(context)) return { kind: 'wait' };
      const { questions } = openQuestionsOf(history.past[0]?.result ?? {});
      if (questions.length > 0) return { kind: 'ask', questions };
      return judgeWork(context, kind, history);
    },
    ask: (last, questions) => askOpenQuestions(context, last, questions),
  };
}

/** Checks that we hold the task, that there is disk space to work, and that a person trusts what the agent finds. */
async function prepare(
  { run, held, item, worktree }: TaskContext,
  step: Extract<Step, { kind: 'start' | 'resume' }>,
): Promise<void> {
  held.signal.throwIfAborted();
  await held.confirm();
  requireRoom([worktree.path, run.around.git.commonDir]);
  await run.confirmTrust(worktree);
  run.tell(item, `${run.driver.name} ${step.kind === 'resume' ? 'resumes' : describeStart(step)}`);
}

function describeStart({ purpose, failure }: AgentBrief): string {
  if (failure !== undefined) return `tries again: ${failure.split('\n')[0]}`;
  return purpose === 'work' ? 'starts' : `starts again to ${purposeWords[purpose]}`;
}

/** Why an agent is started, after "to". */
const purposeWords: Record<Purpose, string> = {
  work: 'do the work',
  fix: 'fix what was found',
  review: "make the reviewer's changes",
  refine: 'make the changes that a person asked for',
  merge: 'resolve merge conflicts',
};

function runOptions(context: TaskContext): RunOptions {
  const { run, held, item, worktree } = context;
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
    keep: (end, mark) => keepWork(context, end, mark),
    has: (commit) => isAncestor(worktree.path, commit, 'HEAD'),
    allows: (tool, input) => allows({ folder: worktree.path, gates, tools }, tool, input),
    onEvent: (event) => run.onEvent?.(item, event),
    onRetry: (sentence) => run.tell(item, sentence),
  };
}

async function briefFor({ run, held, item, worktree }: TaskContext, { asked }: History, brief: AgentBrief) {
  const { ledger, projectId, storage, cwd } = run.around;
  const { purpose, findings, continues, merges } = brief;
  const input = await item.input(brief, worktree);
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const config = writeTaskConfig(storage, held.task, hilConfig);
  const known = `Your autonomy levels are also in ${config} ($FERMATA_TASK_DIR/config.json).`;
  const history = asked.filter(({ status }) => status !== 'open');
  const undelivered = await ledger.notifications.undelivered(projectId, 'execute', held.task.id);
  return {
    prompt: rolePrompt({ role: 'coder', root: cwd, hilConfig, history, values: { input, known } }),
    corrections: undelivered.filter(isCorrection),
    work: { for: 'task' as const, ...(merges && { merges }), ...run.agent, purpose, findings },
    progress: { continues },
  };
}

/** The task waits for a person. */
async function askOpenQuestions(
  context: TaskContext,
  { run: ended, result }: PastRun,
  questions: Question[],
): Promise<Notification | undefined> {
  const { run, held } = context;
  const { ledger, projectId } = run.around;
  const { id: taskId, fence } = held.task;
  const work = {
    projectId,
    taskId,
    fence,
    resume: { agent: ended.agent, cwd: ended.cwd, run: ended.id, task: taskId },
    life: lifeOfAnswer(ended),
    keep: true,
  };
  const { notification } = await applyCoderResult(
    ledger,
    work,
    { ...result, open_questions: questions },
    agentOf(run.driver),
  );
  return notification;
}

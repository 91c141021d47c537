import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { isReadWithin } from '../../agents/is-read-within.ts';
import { answersText } from '../../agents/questions/answer-text.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import { diffBase } from '../../git/diff-base.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { shortHash } from '../../ledger/tasks/short-hash.ts';
import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Run } from '../../schema/run.ts';
import { type SeenState, seenContent } from '../gates/seen-content.ts';
import type { Surroundings } from '../phases/plan-context.ts';
import { iterationOf } from '../phases/record.ts';
import { repairPrompt } from '../run/brief-sections.ts';
import { acceptAnswer, type Performed, perform } from '../run/perform.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import { type ReviewedText, reviewPrompt } from './prompt.ts';
import { readVerdict, type Verdict } from './verdict.ts';

export interface Reviewer {
  driver: AgentDriver;
  setup(cwd: string): AgentSetup;
  /** Who reviews whose work, for the head of the review. */
  head: string;
  /** Which state of the work the review covers (default: `files`). */
  state?: SeenState;
  signal: AbortSignal;
  tell(sentence: string): void;
  /** Whoever holds the task, if it is held. With `fence` it is the work itself, which waits while the reviewer asks a person. */
  held?: Pick<RunOptions, 'fence' | 'onHold' | 'confirm'>;
}

/** What is reviewed: a phase of a plan, or a task without one. */
export interface ReviewedWork {
  taskId: string;
  title: string;
  text: ReviewedText;
  worktree: OpenWorktree;
  /** The command to retry. */
  again: string;
}

type ReviewContext = Pick<Surroundings, 'ledger' | 'projectId' | 'by' | 'storage'>;

const MAX_DIFF_LENGTH = 400_000;

/** A verdict as stored in the log of a phase or task. */
export interface Review extends Verdict {
  head: string;
  reviewer: string;
  iteration: number;
}

/** Has another agent review the work. The agent may only read, and may ask a person. */
export async function reviewWork(
  context: ReviewContext,
  work: ReviewedWork,
  reviewer: Reviewer,
): Promise<Review> {
  const { ledger, projectId, by } = context;
  const { taskId, worktree } = work;
  const { prompt, about, iteration } = await whatToReview(context, work);
  const folder = taskFolder(context.storage, taskId);
  const conducting: RunOptions = {
    ledger,
    driver: reviewer.driver,
    setup: withTaskFolder(reviewer.setup(worktree.path), folder),
    ...reviewer.held,
    allows: (tool, input) => isReadWithin(worktree.path, tool, input) || isReadWithin(folder, tool, input),
    signal: reviewer.signal,
    onRetry: reviewer.tell,
  };
  const content = await seenContent(worktree, reviewer.state ?? 'files');
  const { verdict, run } = await askForVerdict(context, work, conducting, { prompt, about }, reviewer);
  const data = { head: reviewer.head, ...verdict };
  crashPoint('review.answered');
  await ledger.phases.append(projectId, taskId, by, (records) => {
    // A process that was killed after recording this could not report it.
    const isRecorded = records.some((each) => each.kind === 'review' && each.at >= (run.endedAt ?? ''));
    return isRecorded ? undefined : { kind: 'review', iteration, data: { ...data, content } };
  });
  await acceptAnswer(ledger, run);
  return { ...data, reviewer: reviewer.driver.name, iteration };
}

async function whatToReview(context: ReviewContext, { taskId, title, text, worktree }: ReviewedWork) {
  const { diff, files, truncated } = await diffBase(worktree.path, worktree.featureBranch);
  if (files.length === 0) {
    throw new Refusal('nothing_to_review', `${worktree.path} has no changes yet.`, {
      suggestion: 'Implement the phase first.',
    });
  }
  const records = await context.ledger.phases.list(context.projectId, taskId);
  const hilConfig = await context.ledger.projects.hilConfig(context.projectId);
  const input = {
    ...text,
    records,
    hilConfig,
    config: writeTaskConfig(context.storage, { id: taskId, title }, hilConfig),
    diff: diff.slice(0, MAX_DIFF_LENGTH),
    truncated: truncated || diff.length > MAX_DIFF_LENGTH,
  };
  // Identifies the work on every machine. Leaves out recorded reviews, so that this stays the same work until its review is
  // used.
  const about = reviewPrompt({
    ...input,
    config: '',
    records: records.filter(({ kind }) => kind !== 'review'),
  });
  return { prompt: reviewPrompt(input), about, iteration: iterationOf(records) };
}

/** The folder whose `config.json` says how much agents may decide alone. */
function withTaskFolder(setup: AgentSetup, folder: string): AgentSetup {
  return { ...setup, identity: { ...setup.identity, FERMATA_TASK_DIR: folder } };
}

/** How often an unreadable answer is repaired. */
const REPAIRS = 1;

/** Continues an interrupted review of the same work by the same agent, or begins one. */
async function askForVerdict(
  { projectId }: ReviewContext,
  work: ReviewedWork,
  conducting: RunOptions,
  { prompt, about }: { prompt: string; about: string },
  reviewer: Reviewer,
): Promise<{ verdict: Verdict; run: Run }> {
  const agent = conducting.driver.name;
  const own = { for: 'answer' as const, about: shortHash('review', agent, about) };
  const performed = await perform<Verdict>({
    asker: { projectId, taskId: work.taskId, source: 'eval', sourceId: work.taskId, work: own },
    conducting,
    limits: { rounds: { fix: REPAIRS } },
    whenAsked: conducting.fence === undefined ? 'wait' : 'release',
    before: (step, { sentBack }) => {
      const why = sentBack.at(-1)?.findings;
      if (step.kind === 'start' && why) reviewer.tell(`Cannot read the review: ${why} It is asked again.`);
    },
    brief: ({ sentBack, asked }) => {
      const answers = asked.filter(({ responses }) => responses.length > 0).map(answersText);
      return { prompt: [repairPrompt(prompt, sentBack.at(-1)), ...answers].join('\n\n'), work: own };
    },
    judge: ({ text }) => {
      const read = readVerdict(text);
      if (read.kind === 'verdict') return { kind: 'ended', result: read.verdict };
      if (read.kind === 'questions') return { kind: 'ask', questions: read.questions };
      return { kind: 'send_back', purpose: 'fix', findings: read.why };
    },
  });
  if (performed.kind === 'ended') return { verdict: performed.result, run: performed.run };
  throw notReviewed(work, agent, performed, conducting.signal?.aborted ?? false);
}

function notReviewed(
  { taskId, again }: ReviewedWork,
  agent: string,
  outcome: Exclude<Performed<Verdict>, { kind: 'ended' }>,
  interrupted: boolean,
): Refusal {
  switch (outcome.kind) {
    case 'given_up': {
      const { text = '', findings: why = '' } = outcome.sentBack.at(-1) ?? {};
      const message = `${agent} reviewed ${taskId} twice without a readable verdict. ${why}`;
      return new Refusal('unreadable_review', message, {
        suggestion: 'Run the review again, or choose another reviewer with --agent.',
        data: { answer: text.slice(0, 4000) },
      });
    }
    case 'stopped':
    case 'waiting': {
      const { run } = outcome;
      const end = outcome.kind === 'stopped' ? outcome.end : undefined;
      const suggestion =
        run.status === 'waiting'
          ? `Its session is kept. Resume it with: ${again}`
          : `Run "${cmd`doctor`}", or choose another reviewer with --agent.`;
      return new Refusal(
        interrupted ? 'interrupted' : 'agent_failed',
        `The reviewer did not finish: ${end?.message ?? 'it is waiting for an answer.'}`,
        {
          suggestion,
          data: { reason: end?.reason ?? outcome.kind, ...(end?.signal ? { signal: end.signal } : {}) },
        },
      );
    }
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

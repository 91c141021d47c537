import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { isReadWithin } from '../../agents/is-read-within.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import type { RunOptions } from '../../agents/run/run-options.ts';
import type { Outcome } from '../../assignments/assignment.ts';
import { closeAssignment, executeAssignment } from '../../assignments/execute.ts';
import { assignmentKey } from '../../assignments/key.ts';
import { diffBase } from '../../git/diff-base.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Run } from '../../schema/run.ts';
import { decidedPart } from '../decided/read-decided.ts';
import { type SeenState, seenContents } from '../gates/seen-content.ts';
import { holdPhase } from '../phases/hold.ts';
import { type PhaseTask, phaseWords } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { iterationOf } from '../phases/record.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { repairPrompt, reviewPrompt } from './prompt.ts';
import { readVerdict, type Verdict } from './verdict.ts';

export interface Reviewer {
  driver: AgentDriver;
  setup(cwd: string): AgentSetup;
  /** Who reviews whose work, for the head of the review. */
  head: string;
  /** What of the work the review is about (default: `files`). */
  state?: SeenState;
  signal: AbortSignal;
  tell(sentence: string): void;
}

const LONGEST_DIFF = 400_000;

/** A verdict as it is kept in the phase's log. */
export interface Review extends Verdict {
  head: string;
  reviewer: string;
  iteration: number;
}

/** Lets another agent judge what was made in a phase. It may look, and nobody is asked. */
export async function reviewPhase(place: PlanContext, at: PhaseTask, reviewer: Reviewer): Promise<Review> {
  const { ledger, projectId, by } = place;
  await holdPhase(place, at);
  const { cwd, prompt, about, iteration } = await whatToReview(place, at);
  const folder = taskFolder(place.storage, at.taskId);
  const conducting: RunOptions = {
    ledger,
    driver: reviewer.driver,
    setup: withTaskFolder(reviewer.setup(cwd), folder),
    questions: 'assume',
    allows: (tool, input) => isReadWithin(cwd, tool, input) || isReadWithin(folder, tool, input),
    signal: reviewer.signal,
    onRetry: reviewer.tell,
  };
  const content = (await seenContents(place, [at], reviewer.state ?? 'files'))[at.taskId];
  const { verdict, run } = await askForVerdict(place, at, conducting, { prompt, about }, reviewer);
  const data = { head: reviewer.head, ...verdict };
  crashPoint('review.answered');
  await ledger.phases.append(projectId, at.taskId, by, (records) => {
    // A process that was killed after it had recorded this could not say so.
    const isRecorded = records.some((each) => each.kind === 'review' && each.at >= (run.endedAt ?? ''));
    return isRecorded ? undefined : { kind: 'review', iteration, data: { ...data, content } };
  });
  await closeAssignment(conducting, run);
  return { ...data, reviewer: reviewer.driver.name, iteration };
}

async function whatToReview(place: PlanContext, at: PhaseTask) {
  const worktree = await worktreeOf(place, at);
  if (!worktree) {
    throw new Refusal('no_worktree', `${at.taskId} has no worktree to review.`, {
      suggestion: 'Create it on the branch that start-prompt printed: git worktree add -b BRANCH FOLDER',
      code: 'not_found',
    });
  }
  const { diff, files, truncated } = await diffBase(worktree.path, place.here.featureBranch);
  if (files.length === 0) {
    throw new Refusal('nothing_to_review', `${worktree.path} has no changes yet.`, {
      suggestion: 'Implement the phase first.',
    });
  }
  const records = await place.ledger.phases.list(place.projectId, at.taskId);
  const file = place.plan.files.get(at.phase.path);
  const hilConfig = await place.ledger.projects.hilConfig(place.projectId);
  const config = writeTaskConfig(place.storage, { id: at.taskId, title: at.phase.title }, hilConfig);
  const input = {
    title: `${at.taskId}, ${at.phase.title}`,
    content: file && 'text' in file ? file.text : '',
    decided: await decidedPart(place, at),
    criteria: at.phase.file?.criteria ?? [],
    gates: at.phase.file?.gates ?? [],
    records,
    hilConfig,
    config,
    diff: diff.slice(0, LONGEST_DIFF),
    truncated: truncated || diff.length > LONGEST_DIFF,
  };
  // The same work is the same assignment until its review is used, also once that is on record.
  const about = reviewPrompt({ ...input, records: records.filter(({ kind }) => kind !== 'review') });
  return { cwd: worktree.path, prompt: reviewPrompt(input), about, iteration: iterationOf(records) };
}

/** Where `config.json` says how much agents may decide alone. */
function withTaskFolder(setup: AgentSetup, folder: string): AgentSetup {
  return { ...setup, identity: { ...setup.identity, FERMATA_TASK_DIR: folder } };
}

/** An answer that cannot be read is repaired once. */
const MOST_ATTEMPTS = 2;

/** Continues a review of the same work by the same agent that was broken off, else begins one. */
async function askForVerdict(
  place: PlanContext,
  at: PhaseTask,
  conducting: RunOptions,
  { prompt, about }: { prompt: string; about: string },
  reviewer: Reviewer,
): Promise<{ verdict: Verdict; run: Run }> {
  const agent = conducting.driver.name;
  const outcome = await executeAssignment<Verdict, string>(conducting, {
    projectId: place.projectId,
    source: 'eval',
    sourceId: at.taskId,
    mark: { command: 'review', about: assignmentKey(agent, about) },
    maxAttempts: MOST_ATTEMPTS,
    waits: false,
    prompt: ({ sentBack }) => {
      const last = sentBack.at(-1);
      return last ? repairPrompt(prompt, last.text, last.findings) : prompt;
    },
    read: ({ text }) => {
      const read = readVerdict(text);
      if (read.kind === 'verdict') return { kind: 'accept', value: read.verdict };
      return { kind: 'send_back', findings: read.why };
    },
    onSentBack: (why) => reviewer.tell(`Cannot read the review (${why}); asking again.`),
  });
  if (outcome.kind === 'accepted') return { verdict: outcome.value, run: outcome.run };
  throw notReviewed(at, agent, outcome, conducting.signal?.aborted ?? false);
}

function notReviewed(
  at: PhaseTask,
  agent: string,
  outcome: Exclude<Outcome<Verdict, string>, { kind: 'accepted' }>,
  interrupted: boolean,
): Refusal {
  switch (outcome.kind) {
    case 'given_up': {
      const { text = '', findings: why = '' } = outcome.sentBack.at(-1) ?? {};
      const message = `${agent} reviewed ${at.taskId} twice without a readable verdict: ${why}.`;
      return new Refusal('unreadable_review', message, {
        suggestion: 'Run the review again, or choose another reviewer with --agent.',
        data: { answer: text.slice(0, 4000) },
      });
    }
    case 'stopped':
    case 'waiting': {
      const { run } = outcome;
      const end = outcome.kind === 'stopped' ? outcome.end : undefined;
      const command = cmd`review ${phaseWords(at)}`;
      const suggestion =
        run.status === 'waiting'
          ? `Its session is kept. Resume it with: ${command}`
          : `Run "${cmd`doctor`}", or choose another reviewer with --agent.`;
      return new Refusal(
        interrupted ? 'interrupted' : 'agent_failed',
        `The reviewer did not finish: ${end?.message ?? 'it is waiting for an answer.'}`,
        { suggestion, data: { reason: end?.reason ?? outcome.kind } },
      );
    }
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

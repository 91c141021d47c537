import { startRun } from '../../agents/conduct.ts';
import type { Conducting } from '../../agents/conducting.ts';
import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { readsInside } from '../../agents/reads-inside.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { diffBase } from '../git/diff-base.ts';
import { holdPhase } from '../phases/hold.ts';
import type { PhaseAtWork } from '../phases/phase-at-work.ts';
import type { PlanPlace } from '../phases/plan-place.ts';
import { iterationOf } from '../phases/record.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { Refusal } from '../refusal.ts';
import { repairPrompt, reviewPrompt } from './prompt.ts';
import { readVerdict, type Verdict } from './verdict.ts';

export interface Reviewer {
  driver: AgentDriver;
  setup(cwd: string): AgentSetup;
  signal: AbortSignal;
  tell(sentence: string): void;
}

const LONGEST_DIFF = 400_000;

/** Lets another agent judge what was made in a phase. It may look, and nobody is asked. */
export async function reviewPhase(place: PlanPlace, at: PhaseAtWork, reviewer: Reviewer): Promise<object> {
  const { ledger, projectId, by } = place;
  await holdPhase(place, at);
  const { cwd, prompt, iteration } = await whatToReview(place, at);
  const conducting: Conducting = {
    ledger,
    driver: reviewer.driver,
    setup: withTaskFolder(reviewer.setup(cwd), taskFolder(place.storage, at.taskId)),
    questions: 'assume',
    allows: (tool, input) => readsInside(cwd, tool, input),
    signal: reviewer.signal,
  };
  const verdict = await askForVerdict(place, at, conducting, prompt, reviewer);
  crashPoint('review.answered');
  await ledger.phases.append(projectId, at.taskId, by, () => ({
    kind: 'review',
    iteration,
    data: { ...verdict },
  }));
  return { ...verdict, reviewer: reviewer.driver.name, iteration };
}

async function whatToReview(place: PlanPlace, at: PhaseAtWork) {
  const worktree = await worktreeOf(place, at);
  if (!worktree) {
    throw new Refusal('no_worktree', `There is no worktree of ${at.taskId} to review.`, {
      suggestion: 'Make it on the branch that start-prompt named: git worktree add -b BRANCH FOLDER',
      code: 'not_found',
    });
  }
  const { diff, files, truncated } = await diffBase(worktree.path, place.here.featureBranch);
  if (files.length === 0) {
    throw new Refusal('nothing_to_review', `Nothing was changed in ${worktree.path} yet.`, {
      suggestion: 'Implement the phase first.',
    });
  }
  const records = await place.ledger.phases.list(place.projectId, at.taskId);
  const file = place.plan.files.get(at.phase.path);
  const hilConfig = await place.ledger.projects.hilConfig(place.projectId);
  writeTaskConfig(place.storage, { id: at.taskId, title: at.phase.title }, hilConfig);
  const prompt = reviewPrompt({
    title: `${at.taskId}, ${at.phase.title}`,
    content: file && 'text' in file ? file.text : '',
    criteria: at.phase.file?.criteria ?? [],
    gates: at.phase.file?.gates ?? [],
    records,
    hilConfig,
    diff: diff.slice(0, LONGEST_DIFF),
    truncated: truncated || diff.length > LONGEST_DIFF,
  });
  return { cwd: worktree.path, prompt, iteration: iterationOf(records) };
}

/** Where `config.json` says how much agents may decide alone. */
function withTaskFolder(setup: AgentSetup, folder: string): AgentSetup {
  return { ...setup, identity: { ...setup.identity, FERMATA_TASK_DIR: folder } };
}

/** One round of repair; then an answer that cannot be read is an error. */
async function askForVerdict(
  place: PlanPlace,
  at: PhaseAtWork,
  conducting: Conducting,
  prompt: string,
  reviewer: Reviewer,
): Promise<Verdict> {
  const first = await ask(place, at, conducting, prompt);
  const read = readVerdict(first);
  if (read.kind === 'verdict') return read.verdict;
  reviewer.tell(`The review could not be read (${read.why}); asking once more.`);
  const second = await ask(place, at, conducting, repairPrompt(prompt, first, read.why));
  const again = readVerdict(second);
  if (again.kind === 'verdict') return again.verdict;
  throw new Refusal('unreadable_review', `The review of ${at.taskId} cannot be read: ${again.why}.`, {
    suggestion: 'Run it again, or with another reviewer (--agent).',
    data: { answer: second.slice(0, 4000) },
  });
}

async function ask(
  place: PlanPlace,
  at: PhaseAtWork,
  conducting: Conducting,
  prompt: string,
): Promise<string> {
  const { end } = await startRun(conducting, {
    projectId: place.projectId,
    source: 'eval',
    sourceId: at.taskId,
    prompt,
    data: { command: 'review' },
  });
  if (end.reason === 'ok') return end.text;
  const type = conducting.signal?.aborted ? 'interrupted' : 'agent_failed';
  throw new Refusal(type, `The reviewer did not finish: ${end.message}`, {
    suggestion: 'See "fermata doctor", or name another reviewer with --agent.',
    data: { reason: end.reason },
  });
}

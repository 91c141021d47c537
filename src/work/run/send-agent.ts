import { rolePrompt } from '../../agents/roles/prompt.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import { resumeRun, startRun } from '../../agents/run/conduct.ts';
import type { RunOptions, RunOutcome } from '../../agents/run/run-options.ts';
import { isCorrection } from '../../agents/run/undelivered.ts';
import { requireRoom } from '../../files/disk-room.ts';
import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { isQuestion } from '../../schema/is-question.ts';
import { decidedPart } from '../decided/read-decided.ts';
import { protocolFor } from '../phases/front-matter.ts';
import { type PhaseTask, phaseName } from '../phases/phase-task.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import { adoptBranch } from './adopt-branch.ts';
import type { AgentBrief } from './next-move.ts';
import { allows } from './permissions.ts';
import { phasePrompt } from './phase-prompt.ts';
import type { PlanRun } from './plan-run.ts';
import type { HeldTask } from './run-tasks.ts';

/** A phase that is ours, with the worktree in which it is worked on. */
export interface PhaseContext {
  run: PlanRun;
  held: HeldTask;
  at: PhaseTask;
  worktree: OpenWorktree;
}

/** Sends an agent out on a phase, and follows it to where it ends or holds. */
export async function sendAgent(
  context: PhaseContext,
  brief: AgentBrief,
  about: { merges?: string } = {},
): Promise<RunOutcome> {
  const { run, held, at } = context;
  const { purpose, findings, continues } = brief;
  await requireReady(context);
  await run.confirmTrust(context.worktree);
  const prompt = await promptFor(context, brief);
  const wanted = { projectId: run.place.projectId, source: 'execute' as const, sourceId: held.task.id };
  const { ledger } = run.place;
  const undelivered = await ledger.notifications.undelivered(wanted.projectId, 'execute', held.task.id);
  run.tell(at, `${run.driver.name} ${setsOut(brief)}`);
  const conducted = await startRun(conducting(context), {
    ...wanted,
    prompt,
    corrections: undelivered.filter(isCorrection),
    data: {
      ...about,
      ...run.agent,
      purpose,
      ...(findings === undefined ? {} : { findings }),
      ...(continues === undefined ? {} : { continues }),
    },
  });
  await adoptBranch(run.place.git.commonDir, context.worktree);
  return conducted;
}

function setsOut({ purpose, failure }: AgentBrief): string {
  if (failure !== undefined) return `tries again: ${failure.split('\n')[0]}`;
  return purpose === 'work' ? 'starts' : `starts again: ${purpose}`;
}

/** Takes up an agent that held, or whose process is gone, with what it was answered meanwhile. */
export async function resumeAgent(context: PhaseContext, runId: string): Promise<RunOutcome> {
  await requireReady(context);
  context.run.tell(context.at, `${context.run.driver.name} resumes`);
  const { place } = context.run;
  const conducted = await resumeRun(conducting(context), place.projectId, runId);
  await adoptBranch(place.git.commonDir, context.worktree);
  return conducted;
}

/** The task is ours, and there is room to work. */
async function requireReady({ run, held, worktree }: PhaseContext): Promise<void> {
  await held.confirm();
  requireRoom([worktree.path, run.place.git.commonDir]);
}

function conducting({ run, held, at, worktree }: PhaseContext): RunOptions {
  const { place, driver, setup, tools } = run;
  const gates = (at.phase.file?.gates ?? []).flatMap(({ command }) => command ?? []);
  return {
    ledger: place.ledger,
    driver,
    setup: {
      ...setup,
      cwd: worktree.path,
      mustAsk: false,
      identity: {
        ...setup.identity,
        FERMATA_TASK_DIR: taskFolder(place.storage, held.task.id),
        FERMATA_PHASE: phaseName(at),
      },
    },
    fence: held.task.fence,
    signal: held.signal,
    onHold: held.onHold,
    allows: (tool, input) => allows({ folder: worktree.path, gates, tools }, tool, input),
    onEvent: (event) => run.onEvent?.(at, event),
    onRetry: (sentence) => run.tell(at, sentence),
  };
}

async function promptFor({ run, held, at, worktree }: PhaseContext, brief: AgentBrief): Promise<string> {
  const { place, featureBranch } = run;
  const { ledger, projectId } = place;
  const protocol = await resolveProtocol(protocolFor(at.front), {
    folder: place.cwd,
  });
  const file = place.plan.files.get(at.phase.path);
  const input = phasePrompt({
    plan: place.name,
    phase: at.number,
    variant: at.variant,
    title: at.phase.title,
    featureBranch,
    branch: worktree.branch,
    protocol: renderProtocol(protocol),
    text: file && 'text' in file ? file.text : '',
    decided: await decidedPart(place, at),
    ...brief,
  });
  const asked = await ledger.notifications.asked(projectId, 'execute', held.task.id);
  const history = asked.filter((each) => isQuestion(each) && each.status !== 'open');
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const config = writeTaskConfig(place.storage, held.task, hilConfig);
  const known = `Your autonomy levels are also in ${config} ($FERMATA_TASK_DIR/config.json).`;
  return rolePrompt({ role: 'coder', root: place.cwd, hilConfig, history, values: { input, known } });
}

import { delimiter } from 'node:path';
import { resumeRun, startRun } from '../../agents/conduct.ts';
import type { Conducted, Conducting } from '../../agents/conducting.ts';
import { rolePrompt } from '../../agents/roles/prompt.ts';
import { taskFolder, writeTaskConfig } from '../../agents/roles/task-config.ts';
import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { requireRoom } from '../disk-room.ts';
import { protocolFor } from '../phases/front-matter.ts';
import { type PhaseAtWork, phaseName } from '../phases/phase-at-work.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import { assignmentText } from './assignment.ts';
import type { Errand } from './next-move.ts';
import { allows } from './permissions.ts';
import type { PlanRun } from './plan-run.ts';
import type { HeldTask } from './work-through.ts';

/** A phase that is ours, with the worktree in which it is worked on. */
export interface Outing {
  run: PlanRun;
  held: HeldTask;
  at: PhaseAtWork;
  worktree: OpenWorktree;
}

/** Sends an agent out on a phase, and follows it to where it ends or holds. */
export async function sendAgent(
  outing: Outing,
  errand: Errand,
  about: { merges?: string } = {},
): Promise<Conducted> {
  const { run, held, at } = outing;
  const { purpose, findings } = errand;
  await requireReady(outing);
  const prompt = await promptFor(outing, errand);
  const wanted = { projectId: run.place.projectId, source: 'execute' as const, sourceId: held.task.id };
  run.tell(at, `${run.driver.name} ${setsOut(errand)}`);
  return startRun(conducting(outing), {
    ...wanted,
    prompt,
    data: { ...about, ...run.agent, purpose, ...(findings === undefined ? {} : { findings }) },
  });
}

function setsOut({ purpose, failure }: Errand): string {
  if (failure !== undefined) return `is sent out again: ${failure.split('\n')[0]}`;
  return purpose === 'work' ? 'starts' : `is sent out again: ${purpose}`;
}

/** Takes up an agent that held, or whose process is gone, with what it was answered meanwhile. */
export async function resumeAgent(outing: Outing, runId: string): Promise<Conducted> {
  await requireReady(outing);
  outing.run.tell(outing.at, `${outing.run.driver.name} goes on`);
  return resumeRun(conducting(outing), outing.run.place.projectId, runId);
}

/** The task is ours, and there is room to work. */
async function requireReady({ run, held, worktree }: Outing): Promise<void> {
  await held.confirm();
  requireRoom([worktree.path, run.place.git.commonDir]);
}

function conducting({ run, held, at, worktree }: Outing): Conducting {
  const { place, driver, setup, tools, commands } = run;
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
        PATH: [commands, setup.env.PATH].filter(Boolean).join(delimiter),
        FERMATA_TASK: held.task.id,
        FERMATA_TASK_DIR: taskFolder(place.storage, held.task.id),
        FERMATA_FENCE: String(held.task.fence),
        FERMATA_PHASE: phaseName(at),
      },
    },
    fence: held.task.fence,
    signal: held.signal,
    onHold: held.onHold,
    allows: (tool, input) => allows({ folder: worktree.path, gates, tools }, tool, input),
    onEvent: (event) => run.onEvent?.(at, event),
  };
}

async function promptFor({ run, held, at, worktree }: Outing, errand: Errand): Promise<string> {
  const { place, featureBranch } = run;
  const { ledger, projectId } = place;
  const protocol = await resolveProtocol(protocolFor(at.front), {
    folder: place.cwd,
  });
  const file = place.plan.files.get(at.phase.path);
  const input = assignmentText({
    plan: place.name,
    phase: at.number,
    variant: at.variant,
    title: at.phase.title,
    featureBranch,
    branch: worktree.branch,
    protocol: renderProtocol(protocol),
    text: file && 'text' in file ? file.text : '',
    ...errand,
  });
  const history = (await ledger.notifications.asked(projectId, 'execute', held.task.id)).filter(
    ({ status }) => status !== 'open',
  );
  const hilConfig = await ledger.projects.hilConfig(projectId);
  const config = writeTaskConfig(place.storage, held.task, hilConfig);
  const known = `How much you may decide alone is also in ${config} ($FERMATA_TASK_DIR/config.json).`;
  return rolePrompt({ role: 'coder', root: place.cwd, hilConfig, history, values: { input, known } });
}

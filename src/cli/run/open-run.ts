import { lookAround } from '../../work/phases/find-plan.ts';
import { tasksWithin } from '../../work/phases/phase-at-work.ts';
import { openPlanPlace, type PlanPlace } from '../../work/phases/plan-place.ts';
import { featureBranchFor } from '../../work/run/feature-branch.ts';
import type { PlanRun } from '../../work/run/plan-run.ts';
import { toolsFolder } from '../../work/run/tools-folder.ts';
import { placeAt } from '../../work/worktrees/place.ts';
import {
  type AgentOptions,
  agentGoingOn,
  agentOptions,
  chooseAgent,
  type SaidAgent,
} from '../agents/choose.ts';
import { schemasFolder } from '../schemas-folder.ts';
import type { Session } from '../session.ts';

export interface RunOptions extends SaidAgent {
  feature?: string;
  allow?: string[];
  gateTimeoutMs: number;
  timeoutMs?: number;
  parkAfterMs?: number;
}

type OpenedRun = Omit<PlanRun, 'tell' | 'onEvent'>;

/** Everything that running a plan needs, looked up once. */
export async function openRun(
  session: Session,
  target: string | undefined,
  options: RunOptions,
): Promise<OpenedRun> {
  const { ledger, settings } = session;
  const { id: projectId } = await session.project();
  const by = session.by('command');
  const git = placeAt(process.cwd(), settings, { ledger, projectId, by });
  const { here, checkouts } = await lookAround(git, git.top);
  const around = { ledger, projectId, by, cwd: process.cwd(), storage: git.storage, git, here, checkouts };
  const opened = { ...(await openPlanPlace(around, target)), git };
  const featureBranch = featureBranchFor(opened, options.feature);
  const { timeoutMs, parkAfterMs } = options;
  const agent = agentGoingOn(options, await agentOfLastRun(opened));
  const { driver, setup } = await chooseAgent(session, agent, {
    cwd: git.top,
    mustAsk: false,
    timeoutMs,
    parkAfterMs,
  });
  return {
    place: { ...opened, here: { ...here, featureBranch } },
    featureBranch,
    driver,
    agent,
    setup,
    tools: options.allow ?? [],
    commands: toolsFolder(git.storage),
    schemas: schemasFolder(),
    gateTimeoutMs: options.gateTimeoutMs,
    person: session.by('gate-file'),
  };
}

async function agentOfLastRun({ ledger, projectId, name }: PlanPlace): Promise<AgentOptions | undefined> {
  const within = tasksWithin(name);
  const last = (await ledger.runs.list(projectId, 500)).find(
    ({ source, sourceId }) => source === 'execute' && sourceId.startsWith(within),
  );
  if (!last) return undefined;
  return agentOptions({ ...(last.data as Partial<AgentOptions>), agent: last.agent });
}

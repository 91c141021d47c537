import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { findDriver } from '../../agents/registry.ts';
import { resumeRun, startRun } from '../../agents/run/conduct.ts';
import { type RunOptions, type RunOutcome, waitsForPerson } from '../../agents/run/run-options.ts';
import { isQuestion } from '../../schema/is-question.ts';
import type { Run } from '../../schema/run.ts';
import type { Context } from '../context.ts';
import { requireAgentTrust, type TrustOptions } from '../trust/require-trust.ts';
import { agentSetup } from './choose-agent.ts';

type Setup = Pick<
  AgentSetup,
  'program' | 'args' | 'model' | 'instructions' | 'timeoutMs' | 'parkAfterMs' | 'backgroundWaitMs'
>;

/** What an agent has to do, and how. */
export interface AgentTask extends Setup, TrustOptions, Pick<RunOptions, 'onEvent' | 'allows' | 'signal'> {
  /** A driver from `defineDriver`, or the name of a built-in one. */
  driver: AgentDriver | string;
  prompt: string;
  /** Names the work: the same name continues earlier work, even after a crash. */
  name: string;
}

/**
 * Runs an agent until it is done. Its questions are stored first and wait in the inbox as long as it takes, with or
 * without the agent's process; then the agent gets the answers. Called again with the same name after a crash, it resumes
 * the agent's session.
 *
 * @example const { end } = await runAgent(context, { driver, name: 'changelog', prompt: 'Write the changelog.' });
 */
export async function runAgent(context: Context, task: AgentTask): Promise<Pick<RunOutcome, 'run' | 'end'>> {
  const { prompt, name: sourceId, onEvent, allows, signal, driver: _, ...rest } = task;
  const { trust, again, neverInAdvance, ...own } = rest;
  const driver = typeof task.driver === 'string' ? await findDriver(task.driver) : task.driver;
  await requireAgentTrust(context, context.cwd, { trust, again, neverInAdvance });
  const { id: projectId } = await context.project();
  const setup = agentSetup(context, driver, { ...own, cwd: context.cwd, mustAsk: false });
  const { ledger } = context;
  const conducting = { ledger, driver, setup, onEvent, allows, signal };
  const earlier = (await ledger.runs.of(projectId, SOURCE, sourceId)).find(
    ({ status, agent, data }) => status !== 'ended' && agent === driver.name && data.for === 'agent',
  );
  let conducted = earlier
    ? await resumeEarlier(conducting, earlier)
    : await startRun(conducting, { projectId, source: SOURCE, sourceId, prompt, work: { for: 'agent' } });
  while (waitsForPerson(conducted) && (await isAnswered(conducting, conducted.run)))
    conducted = await resumeRun(conducting, projectId, conducted.run.id);
  return conducted;
}

const SOURCE = 'plan';

async function resumeEarlier(conducting: RunOptions, run: Run): Promise<RunOutcome> {
  if (!(await isAnswered(conducting, run))) throw new DOMException('Interrupted.', 'AbortError');
  return resumeRun(conducting, run.projectId, run.id);
}

/** Waits until all its questions are answered; false if interrupted. */
async function isAnswered({ ledger, signal }: RunOptions, { projectId, id }: Run): Promise<boolean> {
  for (const asked of (await ledger.runs.questions(projectId, id)).filter(isQuestion))
    if (!(await ledger.notifications.wait(projectId, asked.id, signal))) return false;
  return true;
}

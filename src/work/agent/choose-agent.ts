import { Door } from '../../agents/door/door.ts';
import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { findDriver } from '../../agents/registry.ts';
import { didYouMean } from '../../config/near.ts';
import { personalConfig } from '../../config/personal-config.ts';
import { agentNames } from '../../schema/agent-name.ts';
import { FermataError } from '../../schema/error.ts';
import type { AgentOptions, Run } from '../../schema/run.ts';
import type { Context } from '../context.ts';

export type { AgentOptions };

/** The requested agent, for work that an earlier run may have begun with another one. */
export interface SaidAgent extends AgentOptions {
  /** Whether `agent` was given, and is not just the default. */
  agentGiven: boolean;
}

/** Only the options that describe the agent, as they are stored for later. */
export const agentOptions = ({ agent, agentCommand, model }: AgentOptions): AgentOptions => ({
  agent,
  agentCommand,
  model,
});

/** The agent of a task's run, as a person chose it. */
export const agentOfRun = ({ agent, data }: Run): AgentOptions =>
  agentOptions(data.for === 'task' ? { ...data, agent } : { agent });

/**
 * The agent that continues earlier work: the same one, with a different program or model if given now. If another agent
 * is named, only what is given now applies.
 */
export function continuingAgent(said: SaidAgent, begun: AgentOptions | undefined): AgentOptions {
  const { agentGiven, agentCommand, model } = said;
  if (agentGiven || begun === undefined) return agentOptions(said);
  return {
    agent: begun.agent,
    agentCommand: agentCommand ?? begun.agentCommand,
    model: model ?? begun.model,
  };
}

/** The requested driver, and where and how it runs. */
export async function chooseAgent(
  context: Pick<Context, 'settings'> & { env?: Context['env'] },
  options: AgentOptions,
  setup: Omit<AgentSetup, 'env' | 'home' | 'program' | 'model'>,
): Promise<{ driver: AgentDriver; setup: AgentSetup }> {
  refuseUnknownAgent(options);
  const driver = await findDriver(options.agent);
  const { agentCommand: program, model } = options;
  const own = { ...setup, ...(program ? { program } : {}), ...(model ? { model } : {}) };
  return { driver, setup: agentSetup(context, driver, own) };
}

/** How an agent runs: what it may see of the environment, and how its commands reach the ledger. */
export function agentSetup(
  { settings, env = process.env }: Pick<Context, 'settings'> & { env?: Context['env'] },
  driver: Pick<AgentDriver, 'name'>,
  setup: Omit<AgentSetup, 'env' | 'home'>,
): AgentSetup {
  return {
    ...setup,
    env,
    home: settings.home.value,
    passes: personalConfig(env).agentEnvironment,
    door: new Door({ ...env, FERMATA_HOME: settings.home.value, FERMATA_STORE: settings.store.value }),
    // Tells our own programs that an agent started them. They have no ledger until the door admits them.
    identity: { FERMATA_AGENT: driver.name, FERMATA_DOOR: 'none' },
  };
}

/** Refuses an invalid agent as a usage error, before anything is stored. */
export function refuseUnknownAgent({ agent, agentCommand }: AgentOptions): void {
  if (agent === 'command' && !agentCommand) {
    throw new FermataError(
      'invalid',
      '--agent command needs --agent-command PROGRAM, for example ./my-agent.sh. The program gets the prompt on stdin and prints its answer.',
    );
  }
  if (agentNames.some((name) => name === agent)) return;
  const near = didYouMean(agent, agentNames);
  throw new FermataError(
    'invalid',
    `Unknown agent "${agent}".${near} Choose one of ${agentNames.join(', ')}.`,
  );
}

/** Checks the agent once at the start instead of in each task. Returns notes for the person who starts the run. */
export async function requireAgent(driver: AgentDriver, setup: AgentSetup): Promise<string[]> {
  const found = await driver.probe(setup);
  if (!found.found) throw new FermataError('no_agent', found.message);
  return found.notes ?? [];
}

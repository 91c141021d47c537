import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AgentDriver, AgentSetup } from '../../agents/driver.ts';
import { driverNames, findDriver } from '../../agents/drivers/registry.ts';
import { didYouMean } from '../../config/near.ts';
import { FermataError } from '../../schema/error.ts';
import type { Session } from '../session.ts';

/** The options of every command that runs an agent. */
export interface AgentOptions {
  agent: string;
  agentCommand?: string;
  model?: string;
}

/** The same where there may be an agent from before. */
export interface SaidAgent extends AgentOptions {
  /** Whether --agent was said, and not only meant. */
  agentGiven: boolean;
}

export function withAgentOptions(command: Command, usual = 'claude'): Command {
  const which =
    'which agent: claude, codex, scripted, command for any program; claude-mcp, claude-text as fall-backs';
  return withProgramOptions(command.option('--agent <name>', which, usual)).hook('preAction', (_, action) => {
    action.setOptionValue('agentGiven', action.getOptionValueSource('agent') === 'cli');
  });
}

/** For a command that says itself who the agent is. */
export function withProgramOptions(command: Command): Command {
  return command
    .option(
      '--agent-command <program>',
      'the program to run; with --agent command it gets the prompt on stdin',
      programPath,
    )
    .option('--model <name>', "the model, in the agent's own words");
}

/** A path means the folder in which it was typed, wherever the agent works; a name is looked up on the PATH. */
const programPath = (program: string) => (program.includes('/') ? resolve(program) : program);

/** What is said about the agent, without what else a command was given; as it is kept for later. */
export const agentOptions = ({ agent, agentCommand, model }: AgentOptions): AgentOptions => ({
  agent,
  agentCommand,
  model,
});

/**
 * The agent that goes on with what one began. It is the same one, with another program or model where that is said now;
 * who names an agent has said everything about it.
 */
export function agentGoingOn(said: SaidAgent, begun: AgentOptions | undefined): AgentOptions {
  const { agentGiven, agentCommand, model } = said;
  if (agentGiven || begun === undefined) return agentOptions(said);
  return {
    agent: begun.agent,
    agentCommand: agentCommand ?? begun.agentCommand,
    model: model ?? begun.model,
  };
}

/** The driver that was asked for, and where and how it runs. */
export async function chooseAgent(
  { settings }: Pick<Session, 'settings'>,
  options: AgentOptions,
  setup: Omit<AgentSetup, 'env' | 'program' | 'model'>,
): Promise<{ driver: AgentDriver; setup: AgentSetup }> {
  refuseUnknownAgent(options);
  const driver = await findDriver(options.agent);
  return {
    driver,
    setup: {
      ...setup,
      env: process.env,
      ...(options.agentCommand ? { program: options.agentCommand } : {}),
      ...(options.model ? { model: options.model } : {}),
      // What the agent starts of ours works on the same ledger, and is known as an agent's.
      identity: {
        FERMATA_AGENT: driver.name,
        FERMATA_HOME: settings.home.value,
        FERMATA_STORE: settings.store.value,
      },
    },
  };
}

/** What no agent can be is wrong use, and known before anything is stored. */
export function refuseUnknownAgent({ agent, agentCommand }: AgentOptions): void {
  if (agent === 'command' && !agentCommand) {
    throw new FermataError(
      'invalid',
      '--agent command needs the program that is to be run: --agent command --agent-command PROGRAM, for example ./my-agent.sh. It gets the prompt on stdin, and prints its answer.',
    );
  }
  if (driverNames.includes(agent)) return;
  const near = didYouMean(agent, driverNames);
  throw new FermataError(
    'invalid',
    `There is no agent "${agent}".${near} The agents are ${driverNames.join(', ')}.`,
  );
}

/** Told once and at the start, rather than by each task. */
export async function requireAgent(driver: AgentDriver, setup: AgentSetup): Promise<void> {
  const found = await driver.probe(setup);
  if (!found.found) throw new FermataError('no_agent', found.message);
}

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

export function withAgentOptions(command: Command, usual = 'claude'): Command {
  return command
    .option(
      '--agent <name>',
      'which agent: claude, codex, scripted, command for any program; claude-mcp, claude-text as fall-backs',
      usual,
    )
    .option(
      '--agent-command <program>',
      'the program to run; with --agent command it gets the prompt on stdin',
      programPath,
    )
    .option('--model <name>', "the model, in the agent's own words");
}

/** A path means the folder in which it was typed, wherever the agent works; a name is looked up on the PATH. */
export const programPath = (program: string) => (program.includes('/') ? resolve(program) : program);

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
    throw new FermataError('invalid', '--agent command needs the program: --agent-command PROGRAM');
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

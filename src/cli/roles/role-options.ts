import type { Command } from 'commander';
import { type SaidAgent, withAgentOptions } from '../agents/choose.ts';
import type { CommonOptions } from '../command.ts';

/** The options of every command that consults a role. */
export interface RoleOptions extends CommonOptions, SaidAgent {
  resume?: string | true;
  timeout: string;
  parkAfter: string;
  prompt: boolean;
}

export function withRoleOptions(command: Command): Command {
  return withAgentOptions(command)
    .option('--timeout <duration>', 'how long the agent may work', '30m')
    .option(
      '--park-after <duration>',
      'how long a question is held in the process before the agent is parked',
      '5m',
    )
    .option('--no-prompt', 'do not ask in this terminal; end where an answer is needed');
}

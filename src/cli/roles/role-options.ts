import type { Command } from 'commander';
import type { SaidAgent } from '../../work/agent/choose-agent.ts';
import { withAgentOptions, withTimeOptions } from '../agents/agent-options.ts';
import type { CommonOptions } from '../command.ts';
import { type QueueFlags, withQueueOptions } from '../queue-options.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

/** The options of every command that consults a role. */
export interface RoleOptions extends CommonOptions, SaidAgent, TrustOptions, QueueFlags {
  resume?: string | true;
  timeout: string;
  parkAfter: string;
  backgroundWait: string;
  prompt: boolean;
}

export function withRoleOptions(command: Command): Command {
  const told = withTimeOptions(withTrustOption(withAgentOptions(command)));
  return withQueueOptions(told, 'it').option(
    '--no-prompt',
    'do not ask in this terminal; end if an answer is needed',
  );
}

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { parseMilliseconds } from '../../config/duration.ts';
import type { AgentTimes } from '../../work/agent/agent-times.ts';

/** `described`: what the help says about the default, if it is not always `usual`. */
export function withAgentOptions(command: Command, usual = 'claude', described?: string): Command {
  const which =
    'the agent: claude, codex, scripted, or command for any program; claude-mcp and claude-text are fallbacks';
  const agent = new Option('--agent <name>', which).default(usual, described);
  return withProgramOptions(command.addOption(agent)).hook('preAction', (_, action) => {
    action.setOptionValue('agentGiven', action.getOptionValueSource('agent') === 'cli');
  });
}

/** How long an agent may work, hold a question in its process, and run background work. */
export function withTimeOptions(command: Command): Command {
  return command
    .option('--timeout <duration>', 'how long the agent may work', '30m')
    .option(
      '--park-after <duration>',
      'how long to keep the process of an agent that is waiting for an answer',
      '5m',
    )
    .option(
      '--background-wait <duration>',
      'how long to wait for the background work of an agent that is otherwise done',
      '30m',
    );
}

export const timesOf = (options: {
  timeout: string;
  parkAfter: string;
  backgroundWait: string;
}): Required<AgentTimes> => ({
  timeoutMs: parseMilliseconds(options.timeout, '--timeout'),
  parkAfterMs: parseMilliseconds(options.parkAfter, '--park-after'),
  backgroundWaitMs: parseMilliseconds(options.backgroundWait, '--background-wait'),
});

/** For a command that names the agent itself. */
export function withProgramOptions(command: Command): Command {
  return command
    .option(
      '--agent-command <program>',
      'the program to run; with --agent command it gets the prompt on stdin',
      programPath,
    )
    .option('--model <name>', 'the model, by the name that the agent uses');
}

/** A path is relative to the folder in which it was typed, wherever the agent works; a name is looked up on the PATH. */
const programPath = (program: string) => (program.includes('/') ? resolve(program) : program);

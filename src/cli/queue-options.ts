import type { Command } from 'commander';
import { cmd } from '../schema/command-line.ts';
import { FermataError } from '../schema/error.ts';
import type { QueuedWork } from '../work/worker/queue-work.ts';
import { type CommonOptions, collect } from './command.ts';
import { print, printJson } from './output.ts';

export interface QueueFlags {
  queue?: true;
  needs?: string[];
}

/** For a command whose work can be left to workers. `what` completes "leave … to workers". */
export function withQueueOptions(command: Command, what: string): Command {
  return command
    .option('--queue', `leave ${what} to workers ("fermata worker") instead of doing it here`)
    .option(
      '--needs <ability>',
      'with --queue: what a worker must have besides the agent (repeatable)',
      collect,
    );
}

/** Only workers are chosen by their abilities. */
export function refuseStrayNeeds({ needs, queue }: QueueFlags): void {
  if (needs && !queue) throw new FermataError('invalid', '--needs is for workers. Use it with --queue.');
}

export async function printQueued(queued: QueuedWork, { format }: CommonOptions): Promise<void> {
  if (format === 'json') return printJson({ queued });
  const { task, needs, remote } = queued;
  const where = remote === null ? ' There is no remote, so only a worker on this machine can do it.' : '';
  await print(
    `Queued as ${task} for workers with ${needs.join(', ')}.${where} Check its progress with: ${cmd`tasks show ${task}`}`,
  );
}

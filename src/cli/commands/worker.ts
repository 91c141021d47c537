import { hostname } from 'node:os';
import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { abilitiesHere } from '../../work/worker/abilities.ts';
import { runWorker } from '../../work/worker/worker.ts';
import { type CommonOptions, collect, wholeNumber } from '../command.ts';
import { currentActor, requireProjectNamed, withCommandContext } from '../command-context.ts';
import { interruptible } from '../interrupt.ts';
import { whileSound } from '../ledger/while-sound.ts';
import { tell } from '../output.ts';
import { tellReport } from '../tell-report.ts';

interface WorkerCommandOptions extends Omit<CommonOptions, 'project'> {
  project?: string[];
  slots: number;
  can?: string[];
  name: string;
}

export function define(command: Command): void {
  command
    .description('Run queued work, such as plans from "fermata run PLAN --queue", until Ctrl-C.')
    .option('--project <name>', 'a project to serve (repeatable; default: all)', collect)
    .option('--slots <number>', 'how many agents work at once', wholeNumber('--slots', 1, 64), 2)
    .option(
      '--can <abilities>',
      'what this machine has, such as claude,codex,gpu (default: every agent found here)',
      listed,
    )
    .option('--name <name>', 'the name that people see for this worker', hostname())
    .addHelpText(
      'after',
      `
Examples:
  fermata worker
  fermata worker --slots 4 --can claude,gpu --store postgres://fermata@db/fermata

A worker clones each project into FERMATA_HOME, and takes only tasks whose needs it meets (--can). Several workers, on several
machines, can share a ledger on PostgreSQL. Ctrl-C stops it: agents save their sessions, and any worker
resumes the work.`,
    )
    .action(async ({ project: names, ...options }: WorkerCommandOptions) => {
      await withCommandContext(options, async ({ ledger, settings, by }) => {
        if (currentActor().kind === 'agent')
          throw new FermataError('forbidden', 'An agent may not start a worker. Start it yourself.');
        const projects = names && (await Promise.all(names.map((name) => requireProjectNamed(ledger, name))));
        const parts = { ledger, settings, env: process.env, who: by('command'), report: tellReport };
        const abilities = await abilitiesHere({ ...parts, cwd: process.cwd() }, options.can);
        const { name, slots } = options;
        const serves = { projects: projects?.map(({ id }) => id) ?? null, version: packageJson.version };
        // Listens for signals first, because whoever reads the message may stop the worker right away.
        await interruptible((interrupted) => {
          tell(
            `Worker ${name} is ready: ${counted(slots, 'slot')}, abilities: ${abilities.join(', ') || 'none'}.`,
          );
          return whileSound(settings.store.value, interrupted, (signal) =>
            runWorker(parts, { name, slots, abilities, ...serves, signal }),
          );
        });
        tell('The worker has stopped.');
      });
    });
}

function listed(text: string, previous: string[] = []): string[] {
  return [
    ...previous,
    ...text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ];
}

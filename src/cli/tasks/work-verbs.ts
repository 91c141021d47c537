import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { refuseAgentOfRun } from './changes.ts';
import { requireProject } from './require-project.ts';

/** What a person can do to the work on a task, or on all phases of a plan (`shop/`). */
const verbs = {
  stop: {
    done: 'stopped',
    description:
      'Stop whoever works on a task, here or elsewhere. The agent saves its session, and the next start continues. For all phases of a plan, end its name with a slash.',
  },
  pause: {
    done: 'paused',
    description:
      'Stop whoever works on a task, and keep everybody from it until "resume", over restarts and on all machines.',
  },
  resume: {
    done: 'resumed',
    description: 'End the pause of a task. Workers continue it if it is queued; otherwise start it again.',
  },
} as const;

export const defineStop = (command: Command) => defineVerb(command, 'stop');
export const definePause = (command: Command) => defineVerb(command, 'pause');
export const defineResume = (command: Command) =>
  defineVerb(command, 'resume').addHelpText(
    'after',
    '\nTo continue a run of a plan that was stopped: fermata run --resume',
  );

function defineVerb(command: Command, name: keyof typeof verbs): Command {
  const { done, description } = verbs[name];
  return command
    .description(description)
    .argument('<id>', 'the task, or a plan such as shop/')
    .addHelpText('after', `\nExamples:\n  fermata ${name} shop/2\n  fermata ${name} shop/`)
    .action(async (id: string, options: CommonOptions) => {
      await withKnownLedger(options, async (context) => {
        refuseAgentOfRun(context);
        const { ledger, by } = context;
        const project = await requireProject(context, id);
        if (!id.endsWith('/')) await ledger.tasks.get(project.id, id);
        const changed = await ledger.queue[name](project.id, id, by('command'));
        if (options.format === 'json') return printJson({ task: id, [done]: changed });
        if (changed) await print(`${id} is ${done}.`);
        else tell(`Nothing to do for ${id}.`);
      });
    });
}

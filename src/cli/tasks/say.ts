import type { Command } from 'commander';
import { cmd } from '../../schema/command-line.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { isAsking, type Task } from '../../schema/task.ts';
import { isAtTerminal } from '../at-terminal.ts';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { confirm } from '../confirm.ts';
import { print, printJson } from '../output.ts';
import { sentenceOf, taskJson } from '../task-view.ts';
import { refuseAgentOfRun } from './changes.ts';
import { requireProject } from './require-project.ts';

interface SayOptions extends CommonOptions {
  interrupt?: true;
}

export function defineSay(tasks: Command): void {
  tasks
    .command('say')
    .summary('send a message to the agent of a task')
    .description(
      'Send a message to the agent of a task. An agent at work gets it at once if it can, otherwise with its next turn; any other gets it when it starts or continues. "tasks show" says whether it was delivered and read.',
    )
    .argument('<id>', 'the task')
    .argument('<text...>', 'the message')
    .option('--interrupt', "end the agent's current turn, so that it reads this before it does anything else")
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks say t3 "Use the names from the old importer"
  fermata tasks say shop/2 --interrupt "Stop: not in the public API"`,
    )
    .action(async (id: string, words: string[], options: SayOptions) => {
      await withKnownLedger(options, async (context) => {
        refuseAgentOfRun(context);
        const { ledger, by } = context;
        const project = await requireProject(context, id);
        const { interrupt: interrupts = false } = options;
        const message = await ledger.tasks.say(project.id, id, words.join(' '), by('command'), {
          interrupts,
        });
        const task = await ledger.tasks.get(project.id, id);
        if (options.format === 'json') return printJson({ task: taskJson(task), message });
        await print(whenRead(task, message));
        if (task.status !== 'closed' || !isAtTerminal() || !(await confirm(`Reopen ${id}?`))) return;
        await print(sentenceOf(await ledger.tasks.reopen(project.id, id, by('command')), []));
      });
    });
}

function whenRead(task: Task, { delivery, interrupts }: ChatMessage): string {
  const { id, status } = task;
  if (delivery === null) return sentenceOf(task, []);
  if (status === 'closed')
    return `${id} is closed, so nobody will read this. To have it read: ${cmd`tasks reopen ${id}`}`;
  if (isAsking(task)) return `Queued: the agent of ${id} gets it with the answer that it waits for.`;
  if (status !== 'in_progress') return `Queued: the next agent of ${id} gets it with its prompt.`;
  const when = interrupts ? 'now, instead of going on' : 'at once if it can, otherwise with its next turn';
  return `Queued: the agent of ${id} gets it ${when}. Whether it has read it: ${cmd`tasks show ${id}`}`;
}

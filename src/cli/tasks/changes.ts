import type { Command } from 'commander';
import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { FermataError } from '../../schema/error.ts';
import type { Project } from '../../schema/project.ts';
import type { Task } from '../../schema/task.ts';
import { closeTask } from '../../work/phases/close-task.ts';
import { unblockAll } from '../../work/run/unblock-all.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { sentenceOf, taskJson, unfinishedOf } from '../task-view.ts';
import { requireProject } from './require-project.ts';

export function defineDepend(tasks: Command): void {
  tasks
    .command('depend')
    .summary('make a task wait for others')
    .description('Make a task wait until others are closed.')
    .argument('<id>', 'the task that waits')
    .argument('<on...>', 'the tasks that come before it')
    .addHelpText(
      'after',
      '\nExamples:\n  fermata tasks depend importer schema\n  fermata tasks depend release docs tests',
    )
    .action(async (id: string, on: string[], options: CommonOptions) => {
      await withKnownLedger(options, async (context) => {
        refuseAgentOfRun(context);
        const project = await requireProject(context, id);
        const task = await context.ledger.tasks.depend(project.id, id, on, context.by('command'));
        await report(context, task, options);
      });
    });
}

interface EditOptions extends CommonOptions {
  title?: string;
  body?: string;
  priority?: number;
}

export function defineEdit(tasks: Command): void {
  tasks
    .command('edit')
    .summary('change the text or priority of a task')
    .description('Change the title, the description or the priority of a task.')
    .argument('<id>', 'the task')
    .option('--title <text>', 'what to do, in one line')
    .option('--body <text>', 'everything the agent needs to know')
    .option('--priority <number>', '0 is taken first, 4 last', wholeNumber('--priority', 0, 4))
    .addHelpText('after', '\nExample:\n  fermata tasks edit t3 --body "Read orders.csv; skip bad lines"')
    .action(async (id: string, options: EditOptions) => {
      const { title, body, priority } = options;
      if (title === undefined && body === undefined && priority === undefined)
        throw new FermataError('invalid', 'Say what to change: --title, --body or --priority.');
      await change(id, options, ({ ledger, by }, project) =>
        ledger.tasks.edit(project.id, id, { title, body, priority }, by('command')),
      );
    });
}

interface BlockOptions extends CommonOptions {
  reason: string;
}

interface UnblockOptions extends CommonOptions {
  all?: true;
  reason?: string;
}

const UNBLOCK_USE = 'Name one task, or pass --all (with --reason TEXT to choose by reason).';

export function defineChanges(tasks: Command): void {
  tasks
    .command('block')
    .summary('block a task')
    .description('Block a task, no matter who holds it, until "unblock".')
    .argument('<id>', 'the task')
    .requiredOption('--reason <text>', 'why it is blocked')
    .addHelpText(
      'after',
      '\nExample:\n  fermata tasks block importer --reason "waits for the customer\'s sample file"',
    )
    .action(async (id: string, options: BlockOptions) => {
      await change(id, options, ({ ledger, by }, project) =>
        ledger.tasks.block(project.id, id, options.reason, by('command')),
      );
    });
  tasks
    .command('unblock')
    .summary('unblock a task')
    .description('Unblock a task. A task with an open question keeps waiting for the answer.')
    .argument('[id]', 'the task')
    .option('--all', 'unblock every task that stopped because of its environment, such as a git lock')
    .option(
      '--reason <text>',
      'with --all: unblock the tasks whose block reason contains this text, whatever stopped them',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks unblock importer
  fermata tasks unblock --all
  fermata tasks unblock --all --reason "index.lock"`,
    )
    .action(async (id: string | undefined, options: UnblockOptions) => {
      if (id !== undefined && !options.all && options.reason === undefined)
        return change(id, options, ({ ledger, by }, project) =>
          ledger.tasks.unblock(project.id, id, by('command')),
        );
      if (id !== undefined || !options.all) throw new FermataError('invalid', UNBLOCK_USE);
      await unblockAllTasks(options);
    });
  tasks
    .command('release')
    .summary('take a task from whoever holds it')
    .description('Take a task from an agent that is gone, so that another agent can claim it.')
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks release shop/2-A')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, ({ ledger, by }, project) =>
        ledger.tasks.free(project.id, id, by('command')),
      );
    });
  tasks
    .command('withdraw')
    .summary('say that a task is no longer wanted')
    .description(
      'Withdraw a task: whoever works on it stops, and its questions leave the inbox. What depends on it waits until you decide.',
    )
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks withdraw draft:shop')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, async ({ ledger, by }, project) => {
        await ledger.queue.withdraw(project.id, id, by('command'));
        return ledger.tasks.get(project.id, id);
      });
    });
  tasks
    .command('close')
    .summary('finish a task')
    .description(
      'Close a task. Tasks that wait for it may start, and its open questions are withdrawn. You can close a phase of a plan only if it is merged and tested and its gates have passed.',
    )
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks close schema')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, ({ ledger, by }, project) =>
        closeTask(ledger, project.id, id, by('command')),
      );
    });
  tasks
    .command('reopen')
    .summary('reopen a closed task')
    .description('Reopen a closed task. Tasks that depend on it wait again.')
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks reopen schema')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, ({ ledger, by }, project) =>
        ledger.tasks.reopen(project.id, id, by('command')),
      );
    });
}

async function change(
  id: string,
  options: CommonOptions,
  apply: (context: CommandContext, project: Project) => Promise<Task>,
): Promise<void> {
  await withKnownLedger(options, async (context) => {
    refuseAgentOfRun(context);
    await report(context, await apply(context, await requireProject(context, id)), options);
  });
}

async function unblockAllTasks(options: UnblockOptions): Promise<void> {
  await withKnownLedger(options, async (session) => {
    refuseAgentOfRun(session);
    const project = await session.knownProject();
    const unblocked = project
      ? await unblockAll(session.ledger, project.id, options.reason, session.by('command'))
      : [];
    if (options.format === 'json') return printJson({ tasks: unblocked.map(taskJson) });
    const which =
      options.reason === undefined ? 'stopped because of its environment' : 'has a reason with that text';
    if (unblocked.length === 0) tell(`No blocked task ${which}.`);
    else await print(unblocked.map(({ id }) => `Unblocked ${id}.`).join('\n'));
  });
}

/** An agent in a run works on its own phase and must not change which phases exist or their state. */
export function refuseAgentOfRun({ by }: CommandContext): void {
  if (process.env.FERMATA_TASK) refuseAgent(by('command'), 'change tasks while it works on one');
}

async function report(context: CommandContext, task: Task, options: CommonOptions): Promise<void> {
  if (options.format === 'json') return printJson({ task: taskJson(task) });
  const waitsFor = (await unfinishedOf(context.ledger, [task])).get(task.id) ?? [];
  await print(sentenceOf(task, waitsFor));
}

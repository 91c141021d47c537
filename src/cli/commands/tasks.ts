import { type Command, Option } from 'commander';
import { allRows } from '../../ledger/engine/stored.ts';
import { workerWait } from '../../ledger/tasks/abilities.ts';
import { cmd } from '../../schema/command-line.ts';
import type { ChatMessage } from '../../schema/task.ts';
import { taskKinds, taskStatuses } from '../../schema/task-status.ts';
import { type CommonOptions, collect, refuseStray, wholeNumber } from '../command.ts';
import { withCommandContext, withKnownLedger } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { tablePrinter } from '../table.ts';
import { presentTask, readyColumns, taskJson, unfinishedOf } from '../task-view.ts';
import { defineChanges, defineDepend, defineEdit } from '../tasks/changes.ts';
import { type ListOptions, listTasks } from '../tasks/list.ts';
import { requireProject } from '../tasks/require-project.ts';
import { defineSay } from '../tasks/say.ts';
import { defineUndo } from '../tasks/undo.ts';
import { defineWork } from '../tasks/work.ts';

export function define(tasks: Command): void {
  tasks.description('List and change the tasks of a project, and have agents work on them.').addHelpText(
    'after',
    `
Examples:
  fermata tasks add "Design the schema" --id schema
  fermata tasks add "Write the importer" --depends-on schema --priority 1
  fermata tasks ready                     what can be started now
  fermata tasks work t3                   have an agent do it, and merge the result
  fermata tasks                           the same as "fermata tasks list"`,
  );
  defineAdd(tasks);
  defineList(tasks);
  defineShow(tasks);
  defineReady(tasks);
  defineDepend(tasks);
  defineEdit(tasks);
  defineSay(tasks);
  defineUndo(tasks);
  defineChanges(tasks);
  defineWork(tasks);
}

interface AddOptions extends CommonOptions {
  id?: string;
  body?: string;
  priority?: number;
  dependsOn?: string[];
}

function defineAdd(tasks: Command): void {
  tasks
    .command('add')
    .summary('add a task')
    .description('Add a task and print its id.')
    .argument('<title...>', 'what to do, in one line')
    .option('--id <id>', 'a name of your own (default: t1, t2, …)')
    .option('--body <text>', 'everything the agent needs to know')
    .option('--priority <number>', '0 is taken first, 4 last (default: 2)', wholeNumber('--priority', 0, 4))
    .option('--depends-on <id>', 'a task that must be closed first (repeatable)', collect)
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks add "Design the schema" --id schema --priority 0
  fermata tasks add "Write the importer" --depends-on schema --body "Read orders.csv; skip bad lines"
  id=$(fermata tasks add "Update the docs")`,
    )
    .action(async (words: string[], options: AddOptions) => {
      await withCommandContext(options, async (context) => {
        const { id, body, priority, dependsOn } = options;
        const { ledger } = context;
        const project = await context.project();
        const input = { projectId: project.id, title: words.join(' '), id, body, priority, dependsOn };
        const task = await ledger.tasks.add(input, context.by('command'));
        if (options.format === 'json') return printJson({ task: taskJson(task) });
        const waitsFor = (await unfinishedOf(ledger, [task])).get(task.id) ?? [];
        await print(task.id);
        tell(
          waitsFor.length > 0 ? `Added; it waits for ${waitsFor.join(', ')}.` : 'Added; it can be started.',
        );
      });
    });
}

function defineList(tasks: Command): void {
  tasks
    .command('list', { isDefault: true })
    .summary('list all tasks')
    .description(
      'List everything that agents do (tasks, phases, drafts, reviews, feedback …) in order, with what each one waits for.',
    )
    .allowExcessArguments()
    .addOption(new Option('--status <status>', 'only tasks with this status').choices(taskStatuses))
    .addOption(new Option('--kind <kind>', 'only tasks of this kind').choices(taskKinds))
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks list --status blocked
  fermata tasks list --kind phase
  fermata tasks list --format json | jq -r '.tasks[] | select(.assignee) | .id'`,
    )
    .action(async (options: ListOptions, command: Command) => {
      refuseStray(tasks, command.args);
      await withKnownLedger(options, (context) => listTasks(context, options));
    });
}

function defineShow(tasks: Command): void {
  tasks
    .command('show')
    .summary('show one task in full')
    .description('Show one task with its text, its chat and its open questions.')
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExamples:\n  fermata tasks show schema\n  fermata tasks show t3 --format json')
    .action(async (id: string, options: CommonOptions) => {
      await withKnownLedger(options, async (context) => {
        const { ledger } = context;
        const project = await requireProject(context, id);
        const task = await ledger.tasks.get(project.id, id);
        const chat = await allRows<ChatMessage>((limit, last) =>
          ledger.tasks.chat(project.id, id, { limit, after: last?.id }),
        );
        const asked = await ledger.notifications.asked(project.id, 'execute', id);
        const questions = asked.filter(({ status }) => status === 'open');
        if (options.format === 'json') return printJson({ task: taskJson(task), chat, questions });
        const waitsFor = (await unfinishedOf(ledger, [task])).get(id) ?? [];
        const worker = task.needs === null ? undefined : workerWait(task, await ledger.workers.list());
        await print(presentTask(task, { waitsFor, worker }, chat, questions).join('\n'));
      });
    });
}

interface ReadyOptions extends CommonOptions {
  limit: number;
}

function defineReady(tasks: Command): void {
  tasks
    .command('ready')
    .summary('list what can start now')
    .description(
      'List the tasks that can start now (open, unclaimed, no unfinished dependency), most urgent first.',
    )
    .option('-n, --limit <number>', 'the maximum number to list', wholeNumber('--limit', 1, 10_000), 100)
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks ready
  fermata tasks ready --limit 1 --format json | jq -r '.tasks[0].id'`,
    )
    .action(async (options: ReadyOptions) => {
      await withKnownLedger(options, async (context) => {
        const project = await context.knownProject();
        const found = project ? await context.ledger.tasks.ready(project.id, options.limit + 1) : [];
        const ready = found.slice(0, options.limit);
        if (options.format === 'json') await printJson({ tasks: ready.map(taskJson) });
        else if (ready.length > 0) await print(tablePrinter(readyColumns)(ready).join('\n'));
        if (found.length > ready.length)
          tell(`There are more than ${ready.length}; --limit shows more of them.`);
        else if (ready.length === 0)
          tell(`Nothing can be started now. To see what each task is waiting for: ${cmd`tasks`}`);
      });
    });
}

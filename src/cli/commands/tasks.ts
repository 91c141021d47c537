import { type Command, Option } from 'commander';
import { refuseAgent } from '../../ledger/refuse-agent.ts';
import { FermataError } from '../../schema/error.ts';
import type { Project } from '../../schema/project.ts';
import { type Task, TaskStatus } from '../../schema/task.ts';
import { type CommonOptions, collect, refuseStray, wholeNumber } from '../command.ts';
import { print, printJson, printJsonList, tell } from '../output.ts';
import { type Session, withKnownLedger, withSession } from '../session.ts';
import { tablePrinter } from '../table.ts';
import { presentTask, readyColumns, sentenceOf, taskColumns, taskJson, unfinishedOf } from '../task-view.ts';

const PAGE = 1000;

export function define(tasks: Command): void {
  tasks.description('The tasks of a project: what can start, what waits, and what for.').addHelpText(
    'after',
    `
Examples:
  fermata tasks add "Design the schema" --id schema
  fermata tasks add "Write the importer" --depends-on schema --priority 1
  fermata tasks ready                     what can be started now
  fermata tasks                           the same as "fermata tasks list"`,
  );
  defineAdd(tasks);
  defineList(tasks);
  defineShow(tasks);
  defineReady(tasks);
  defineDepend(tasks);
  defineChanges(tasks);
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
    .description('Add a task at the end of the plan. Its id is printed.')
    .argument('<title...>', 'what is to be done, in a line')
    .option('--id <id>', 'a name of your own (default: t1, t2, …)')
    .option('--body <text>', 'everything one has to know to do it')
    .option('--priority <number>', '0 is taken first, 4 last (default: 2)', wholeNumber('--priority', 0, 4))
    .option('--depends-on <id>', 'a task that has to be closed before (repeat it)', collect)
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks add "Design the schema" --id schema --priority 0
  fermata tasks add "Write the importer" --depends-on schema --body "Read orders.csv; skip bad lines"
  id=$(fermata tasks add "Update the docs")`,
    )
    .action(async (words: string[], options: AddOptions) => {
      await withSession(options, async (session) => {
        const { id, body, priority, dependsOn } = options;
        const { ledger } = session;
        const project = await session.project();
        const input = { projectId: project.id, title: words.join(' '), id, body, priority, dependsOn };
        const task = await ledger.tasks.add(input, session.by('command'));
        if (options.format === 'json') return printJson({ task: taskJson(task) });
        const waitsFor = (await unfinishedOf(ledger, [task])).get(task.id) ?? [];
        await print(task.id);
        tell(
          waitsFor.length > 0 ? `Added; it waits for ${waitsFor.join(', ')}.` : 'Added; it can be started.',
        );
      });
    });
}

interface ListOptions extends CommonOptions {
  status?: TaskStatus;
}

function defineList(tasks: Command): void {
  tasks
    .command('list', { isDefault: true })
    .summary('list all tasks')
    .description('List all tasks in plan order, with what each one waits for.')
    .allowExcessArguments()
    .addOption(new Option('--status <status>', 'only those in this state').choices(TaskStatus.options))
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks list --status blocked
  fermata tasks list --format json | jq -r '.tasks[] | select(.assignee) | .id'`,
    )
    .action(async (options: ListOptions, command: Command) => {
      refuseStray(tasks, command.args);
      await withKnownLedger(options, (session) => list(session, options));
    });
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const project = await session.knownProject();
  const pages = taskPages(session, project, options.status);
  if (options.format === 'json') return printJsonList('tasks', mapped(pages, taskJson));
  const waitsFor = new Map<string, string[]>();
  const lines = tablePrinter(taskColumns(waitsFor));
  let count = 0;
  for await (const page of pages) {
    for (const [id, others] of await unfinishedOf(session.ledger, page)) waitsFor.set(id, others);
    if (page.length > 0) await print(lines(page).join('\n'));
    waitsFor.clear();
    count += page.length;
  }
  if (count === 0) tell(nothingThere(project, options.status));
}

function defineShow(tasks: Command): void {
  tasks
    .command('show')
    .summary('show one task in full')
    .description('Show one task with its text, its chat and its open questions.')
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExamples:\n  fermata tasks show schema\n  fermata tasks show t3 --format json')
    .action(async (id: string, options: CommonOptions) => {
      await withKnownLedger(options, async (session) => {
        const { ledger } = session;
        const project = await requireProject(session, id);
        const task = await ledger.tasks.get(project.id, id);
        const chat = await ledger.tasks.chat(project.id, id);
        const asked = await ledger.notifications.asked(project.id, 'execute', id);
        const questions = asked.filter(({ status }) => status === 'open');
        if (options.format === 'json') return printJson({ task: taskJson(task), chat, questions });
        const waitsFor = (await unfinishedOf(ledger, [task])).get(id) ?? [];
        await print(presentTask(task, waitsFor, chat, questions).join('\n'));
      });
    });
}

interface ReadyOptions extends CommonOptions {
  limit: number;
}

function defineReady(tasks: Command): void {
  tasks
    .command('ready')
    .summary('list what can be started now')
    .description(
      'List what can be started now: open, free, and everything before it closed; most urgent first.',
    )
    .option('-n, --limit <number>', 'how many at most', wholeNumber('--limit', 1, 10_000), 100)
    .addHelpText(
      'after',
      `
Examples:
  fermata tasks ready
  fermata tasks ready --limit 1 --format json | jq -r '.tasks[0].id'`,
    )
    .action(async (options: ReadyOptions) => {
      await withKnownLedger(options, async (session) => {
        const project = await session.knownProject();
        const found = project ? await session.ledger.tasks.ready(project.id, options.limit + 1) : [];
        const ready = found.slice(0, options.limit);
        if (options.format === 'json') await printJson({ tasks: ready.map(taskJson) });
        else if (ready.length > 0) await print(tablePrinter(readyColumns)(ready).join('\n'));
        if (found.length > ready.length)
          tell(`There are more than ${ready.length}; --limit shows more of them.`);
        else if (ready.length === 0)
          tell('Nothing can be started now. "fermata tasks" shows what waits, and for what.');
      });
    });
}

function defineDepend(tasks: Command): void {
  tasks
    .command('depend')
    .summary('let a task wait for others')
    .description('Let a task wait until others are closed.')
    .argument('<id>', 'the task that waits')
    .argument('<on...>', 'the tasks that come before it')
    .addHelpText(
      'after',
      '\nExamples:\n  fermata tasks depend importer schema\n  fermata tasks depend release docs tests',
    )
    .action(async (id: string, on: string[], options: CommonOptions) => {
      await withKnownLedger(options, async (session) => {
        refuseOuting(session);
        const project = await requireProject(session, id);
        const task = await session.ledger.tasks.depend(project.id, id, on, session.by('command'));
        await report(session, task, options);
      });
    });
}

interface BlockOptions extends CommonOptions {
  reason: string;
}

function defineChanges(tasks: Command): void {
  tasks
    .command('block')
    .summary('stop a task')
    .description('Stop a task, whoever holds it, until "unblock".')
    .argument('<id>', 'the task')
    .requiredOption('--reason <text>', 'why it is stopped')
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
    .summary('let a stopped task go on')
    .description('Let a stopped task go on. One with an open question goes on waiting for the answer.')
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks unblock importer')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, ({ ledger, by }, project) =>
        ledger.tasks.unblock(project.id, id, by('command')),
      );
    });
  tasks
    .command('release')
    .summary('take a task from whoever holds it')
    .description(
      'Take a task from the agent that holds it, when that one is gone, so that another may take it.',
    )
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks release shop/2-A')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, ({ ledger, by }, project) =>
        ledger.tasks.free(project.id, id, by('command')),
      );
    });
  tasks
    .command('close')
    .summary('finish a task')
    .description('Finish a task: what waits for it may start, and its open questions are withdrawn.')
    .argument('<id>', 'the task')
    .addHelpText('after', '\nExample:\n  fermata tasks close schema')
    .action(async (id: string, options: CommonOptions) => {
      await change(id, options, async ({ ledger, by }, project) => {
        const isPhase = (await ledger.phases.list(project.id, id)).length > 0;
        if (isPhase) refuseAgent(by('command'), 'close a phase; "plan complete-prompt" completes it');
        return ledger.tasks.close(project.id, id, by('command'));
      });
    });
  tasks
    .command('reopen')
    .summary('take up a closed task again')
    .description('Take up a closed task again; what depends on it waits again.')
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
  apply: (session: Session, project: Project) => Promise<Task>,
): Promise<void> {
  await withKnownLedger(options, async (session) => {
    refuseOuting(session);
    await report(session, await apply(session, await requireProject(session, id)), options);
  });
}

/** An agent in a run works on its own phase; which phases there are, and how they stand, is not its to say. */
function refuseOuting({ by }: Session): void {
  if (process.env.FERMATA_TASK) refuseAgent(by('command'), 'change tasks while it is sent out on one');
}

async function report(session: Session, task: Task, options: CommonOptions): Promise<void> {
  if (options.format === 'json') return printJson({ task: taskJson(task) });
  const waitsFor = (await unfinishedOf(session.ledger, [task])).get(task.id) ?? [];
  await print(sentenceOf(task, waitsFor));
}

async function requireProject(session: Session, id: string): Promise<Project> {
  const project = await session.knownProject();
  if (project) return project;
  const { name } = session.settings.project.value;
  throw new FermataError(
    'not_found',
    `There is no task ${id}: project ${name} has no tasks yet. Add one with "fermata tasks add TITLE", or go to its folder.`,
  );
}

async function* taskPages(
  session: Session,
  project: Project | undefined,
  status?: TaskStatus,
): AsyncGenerator<Task[]> {
  if (!project) return;
  for (let after: number | undefined; ; ) {
    const page = await session.ledger.tasks.list(project.id, { status, after, limit: PAGE });
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.position;
  }
}

async function* mapped<From, To>(
  pages: AsyncIterable<From[]>,
  each: (from: From) => To,
): AsyncGenerator<To[]> {
  for await (const page of pages) yield page.map(each);
}

function nothingThere(project: Project | undefined, status: TaskStatus | undefined): string {
  if (project && status) return `No task of ${project.name} is ${status}.`;
  return 'There are no tasks here yet. Add one with: fermata tasks add "What is to be done"';
}

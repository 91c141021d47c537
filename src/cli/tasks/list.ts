import { cmd } from '../../schema/command-line.ts';
import type { Project } from '../../schema/project.ts';
import type { Task, TaskKind, TaskStatus } from '../../schema/task.ts';
import { taskKinds } from '../../schema/task-status.ts';
import type { CommonOptions } from '../command.ts';
import type { CommandContext } from '../command-context.ts';
import { print, printJsonList, tell } from '../output.ts';
import { tablePrinter } from '../table.ts';
import { taskColumns, taskJson, unfinishedOf } from '../task-view.ts';

const PAGE = 1000;

export interface ListOptions extends CommonOptions {
  status?: TaskStatus;
  kind?: TaskKind;
}

/** Prints all tasks page by page, however many there are. */
export async function listTasks(context: CommandContext, options: ListOptions): Promise<void> {
  const project = await context.knownProject();
  const pages = taskPages(context, project, options);
  if (options.format === 'json') return printJsonList('tasks', mapped(pages, taskJson));
  const waitsFor = new Map<string, string[]>();
  const lines = tablePrinter(taskColumns(waitsFor));
  let count = 0;
  for await (const page of pages) {
    for (const [id, others] of await unfinishedOf(context.ledger, page)) waitsFor.set(id, others);
    if (page.length > 0) await print(lines(page).join('\n'));
    waitsFor.clear();
    count += page.length;
  }
  if (count === 0) tell(nothingThere(project, options.status));
}

async function* taskPages(
  context: CommandContext,
  project: Project | undefined,
  { status, kind }: ListOptions,
): AsyncGenerator<Task[]> {
  if (!project) return;
  const kinds = kind === undefined ? taskKinds : [kind];
  for (let after: number | undefined; ; ) {
    const page = await context.ledger.tasks.list(project.id, {
      kinds,
      status,
      after,
      limit: PAGE,
    });
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
  return `There are no tasks here yet. Add one with: ${cmd`tasks add "What to do"`}`;
}

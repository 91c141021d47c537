import type { Command } from 'commander';
import type { Run } from '../../schema/run.ts';
import { visible } from '../../schema/visible.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { type CommandContext, withKnownLedger } from '../command-context.ts';
import { exit } from '../exit.ts';
import { interruptible } from '../interrupt.ts';
import { localTime } from '../local-time.ts';
import { print, printJsonLine, tell } from '../output.ts';
import { type RunEvent, runEvents } from '../status/run-changes.ts';
import { oneLine } from '../table.ts';
import { requireProject } from '../tasks/require-project.ts';

interface LogsOptions extends CommonOptions {
  follow?: true;
  limit: number;
}

export function define(command: Command): void {
  command
    .description('Print what the agents of a task said and did.')
    .argument('<task>', 'the task, such as shop/2')
    .option('-f, --follow', 'keep printing until Ctrl-C')
    .option('-n, --limit <number>', 'only the newest N lines', wholeNumber('--limit', 1, 100_000), 1000)
    .addHelpText(
      'after',
      `
Examples:
  fermata logs shop/2
  fermata logs -f shop/2
  fermata logs shop/2 --format json      one JSON object per line`,
    )
    .action(async (task: string, options: LogsOptions) => {
      await withKnownLedger(options, async (context) => {
        const project = await requireProject(context, task);
        await context.ledger.tasks.get(project.id, task);
        const head = (await context.ledger.events.heads()).get(project.id) ?? 0;
        const runs = (await context.ledger.runs.ofTask(project.id, task)).reverse();
        const said = (await logOf(context, runs)).slice(-options.limit);
        for (const event of said) await show(event, options);
        if (options.follow) return follow(context, { project: project.id, task, head }, options);
        if (said.length === 0) tell('No agent has worked on it yet.');
      });
    });
}

async function logOf({ ledger }: CommandContext, runs: Run[]): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for (const run of runs) for await (const event of runEvents(ledger, run)) all.push(event);
  return all.filter((event) => lineOf(event) !== undefined).sort((a, b) => a.number - b.number);
}

async function follow(
  { ledger }: CommandContext,
  { project, task, head }: { project: string; task: string; head: number },
  options: LogsOptions,
): Promise<void> {
  await interruptible(async (signal) => {
    const own = new Map<string, boolean>();
    for await (const event of ledger.events.watch(project, head, signal)) {
      if (event.type !== 'run.event') continue;
      const { id } = event.data;
      if (!own.has(id)) own.set(id, (await ledger.runs.get(project, id)).taskId === task);
      if (own.get(id)) await show(event, options);
    }
  });
  process.exitCode = exit.interrupted;
}

async function show(event: RunEvent, { format }: LogsOptions): Promise<void> {
  if (format === 'json') return printJsonLine(event);
  const line = lineOf(event);
  if (line !== undefined) await print(`${localTime(event.at)}  ${line}`);
}

function lineOf({ data }: RunEvent): string | undefined {
  switch (data.kind) {
    case 'text':
      return visible(data.text.trim()).replaceAll('\n', '\n                     ');
    case 'tool':
      return `> ${oneLine(data.tool)}`;
    case 'started':
      return `${oneLine(data.agent)} starts`;
    case 'take':
      return `continued by ${oneLine(data.holder ?? '')}`;
    case 'wait':
      return 'waits for an answer';
    case 'end':
      return `ended: ${oneLine(data.end?.message ?? '')}`;
    case 'message':
      return `${oneLine(data.message.by.actor.name)}: ${oneLine(data.message.text)} (${data.message.delivery})`;
    case 'session':
    case 'usage':
      return undefined;
    default:
      return data satisfies never;
  }
}

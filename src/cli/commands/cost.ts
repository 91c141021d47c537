import { type Command, Option } from 'commander';
import { writeCursor } from '../../ledger/engine/stored.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Run } from '../../schema/run.ts';
import { addSpent, nothingSpent, type Spent } from '../../schema/run-usage.ts';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { localTime } from '../local-time.ts';
import { print, printJson, tell } from '../output.ts';
import { beginOf } from '../since.ts';
import { dollars } from '../status/cost-words.ts';
import { workIn } from '../status/run-changes.ts';
import { type Column, tablePrinter } from '../table.ts';

const groupings = ['plan', 'day', 'agent', 'task'] as const;
type Grouping = (typeof groupings)[number];

interface CostOptions extends CommonOptions {
  since: string;
  by: Grouping;
  all?: true;
}

/** What was spent on one plan, on one day, by one agent or on one task. */
interface Cost {
  name: string;
  runs: number;
  spent: Spent;
}

export function define(command: Command): void {
  command
    .description('Sum up what agents used: tokens, and the cost if the agent reports one.')
    .option(
      '--since <when>',
      'only agents that started after this: 30d, 4h, or a date such as 2026-11-01',
      '30d',
    )
    .addOption(new Option('--by <what>', 'one line for each').choices(groupings).default('plan'))
    .option('-a, --all', 'all projects')
    .addHelpText(
      'after',
      '\nExamples:\n  fermata cost\n  fermata cost --by day --since 7d\n  fermata cost --all --by agent --format json',
    )
    .action(async (options: CostOptions) => {
      await withKnownLedger(options, async ({ ledger, knownProject }) => {
        const here = options.all ? undefined : await knownProject();
        const projects = here ? [here] : options.all ? await ledger.projects.list() : [];
        const costs = new Map<string, Cost>();
        for (const { id } of projects)
          for await (const run of runsSince(ledger, id, beginOf(options.since))) {
            const name = nameFor(run, options.by);
            const before = costs.get(name) ?? { name, runs: 0, spent: nothingSpent };
            const { spent } = await workIn(ledger, run);
            costs.set(name, { name, runs: before.runs + 1, spent: addSpent(before.spent, spent) });
          }
        const rows = [...costs.values()].sort((a, b) =>
          options.by === 'day' ? (a.name < b.name ? 1 : -1) : weight(b) - weight(a),
        );
        const total = rows.reduce((sum, { spent }) => addSpent(sum, spent), nothingSpent);
        if (options.format === 'json')
          return printJson({ by: options.by, since: options.since, costs: rows, total });
        if (rows.length === 0) return tell(`No agent has run since ${options.since}.`);
        const runs = rows.reduce((sum, row) => sum + row.runs, 0);
        await print(
          tablePrinter(columns(options.by))([...rows, { name: 'total', runs, spent: total }]).join('\n'),
        );
      });
    });
}

const columns = (by: Grouping): Column<Cost>[] => [
  { heading: by.toUpperCase(), cell: ({ name }) => name, flexible: true },
  { heading: 'AGENTS', cell: ({ runs }) => runs },
  { heading: 'TOKENS IN', cell: ({ spent }) => spent.inputTokens },
  { heading: 'OUT', cell: ({ spent }) => spent.outputTokens },
  { heading: 'FROM CACHE', cell: ({ spent }) => spent.cacheReadTokens },
  {
    heading: 'COST',
    cell: ({ spent: { costUsd } }) => (costUsd === undefined ? 'not reported' : dollars(costUsd)),
  },
];

const weight = ({ spent: { costUsd = 0, inputTokens, outputTokens } }: Cost) =>
  costUsd * 1e9 + inputTokens + outputTokens;

function nameFor({ agent, taskId, sourceId, startedAt }: Run, by: Grouping): string {
  const task = taskId ?? sourceId;
  switch (by) {
    case 'plan':
      return task.includes('/') ? task.slice(0, task.indexOf('/')) : task;
    case 'day':
      return localTime(startedAt).slice(0, 10);
    case 'agent':
      return agent;
    case 'task':
      return task;
    default:
      return by satisfies never;
  }
}

const PAGE = 500;

async function* runsSince({ runs }: Ledger, projectId: string, since: string): AsyncGenerator<Run> {
  let after: string | undefined;
  for (;;) {
    const page = await runs.list(projectId, PAGE, after);
    for (const run of page) {
      if (run.startedAt < since) return;
      yield run;
    }
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    after = writeCursor(last.startedAt, last.id);
  }
}

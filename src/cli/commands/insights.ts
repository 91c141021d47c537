import type { Command } from 'commander';
import { cmd, quoted } from '../../schema/command-line.ts';
import type { AskedCount, AutonomyProposal, Insights } from '../../schema/insights.ts';
import { visible } from '../../schema/visible.ts';
import { describeDuration } from '../../text/duration.ts';
import { askedBy, proposalWords, shareWords } from '../../text/insight-words.ts';
import type { CommonOptions } from '../command.ts';
import { withKnownLedger } from '../command-context.ts';
import { print, printJson, tell } from '../output.ts';
import { beginOf } from '../since.ts';
import { type Column, tablePrinter } from '../table.ts';

interface InsightsOptions extends CommonOptions {
  since: string;
  all?: true;
}

export function define(command: Command): void {
  command
    .description(
      'Show what questions cost you and your agents, which of them were worth asking, and what to change.',
    )
    .option('--since <when>', 'only questions asked after this: 30d, 4h, or a date such as 2026-11-01', '30d')
    .option('-a, --all', 'all projects')
    .addHelpText(
      'after',
      `
Examples:
  fermata insights
  fermata insights --all --since 90d --format json

Weeks begin on Monday, in UTC. MEDIAN and 19 OF 20 say how quickly people answered; IDLE is how long tasks and agents waited.`,
    )
    .action(async (options: InsightsOptions) => {
      await withKnownLedger(options, async ({ ledger, inboxProject }) => {
        const project = options.all ? undefined : await inboxProject();
        const since = Date.parse(beginOf(options.since));
        const insights = await ledger.figures.insights({ since, projectId: project?.id });
        if (options.format === 'json') return printJson(insights);
        if (insights.total.asked === 0)
          return tell(
            `No questions since ${options.since}${project ? ` in ${project.name}. All projects: ${cmd`insights --all`}` : ''}.`,
          );
        await print(
          [...weekLines(insights), '', ...askerLines(insights), '', ...summary(insights)].join('\n'),
        );
        for (const proposal of insights.proposals) await print(`\n${proposalLines(proposal)}`);
      });
    });
}

type Line = Pick<Insights['weeks'][number], 'medianSeconds' | 'p95Seconds' | 'idleSeconds' | 'answered'> & {
  name: string;
  count: number;
};

function weekLines({ weeks, total }: Insights): string[] {
  const lines = weeks.map((week): Line => {
    const count = week.asked.reduce((sum, each) => sum + each.count, 0);
    return { ...week, name: week.begins.slice(0, 10), count };
  });
  return tablePrinter(weekColumns)([...lines, { ...total, name: 'total', count: total.asked }]);
}

const wait = ({ answered }: Line, seconds: number) => (answered === 0 ? '' : describeDuration(seconds));

const weekColumns: Column<Line>[] = [
  { heading: 'WEEK', cell: ({ name }) => name },
  { heading: 'ASKED', cell: ({ count }) => count },
  { heading: 'ANSWERED', cell: ({ answered }) => answered },
  { heading: 'MEDIAN', cell: (line) => wait(line, line.medianSeconds) },
  { heading: '19 OF 20', cell: (line) => wait(line, line.p95Seconds) },
  {
    heading: 'IDLE',
    cell: ({ idleSeconds }) => (idleSeconds === 0 ? '' : describeDuration(idleSeconds)),
  },
];

function askerLines(insights: Insights): string[] {
  return tablePrinter<AskedCount>([
    { heading: 'ASKED BY', cell: ({ asker }) => asker, flexible: true },
    { heading: 'KIND', cell: ({ kind }) => kind },
    { heading: 'ASKED', cell: ({ count }) => count },
  ])(askedBy(insights));
}

function summary({ total, recommendations, assumptions, repeats }: Insights): string[] {
  return [
    `Still open: ${total.open}`,
    `Recommendations taken: ${shareWords(recommendations)}`,
    `Assumptions corrected: ${shareWords(assumptions)}`,
    `Repeats answered by a standing decision: ${repeats.answered}; asked with the earlier answer: ${repeats.offered}`,
  ];
}

function proposalLines(proposal: AutonomyProposal): string {
  const { projectName, setting, level } = proposal;
  const command = cmd`config set ${`hilConfig.${setting}`} ${level}`;
  const where = command.includes(' --project ') ? '' : ` --project ${quoted(projectName)}`;
  return `${visible(projectName)}: ${proposalWords(proposal)}\n  ${command}${where}`;
}

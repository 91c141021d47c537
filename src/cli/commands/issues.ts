import type { Command } from 'commander';
import { colorsOn } from '../../channels/colors.ts';
import {
  type Analysis,
  type AnalysisOptions,
  analyzeChecked,
  type IssueReport,
  MAX_QUESTIONS,
} from '../../issues/gaps/analyze.ts';
import { gapLabels } from '../../issues/gaps/gap.ts';
import type { PlannedQuestion } from '../../issues/questions/plan-questions.ts';
import { detectStack, type Stack } from '../../issues/repository/stack.ts';
import type { AgentOptions } from '../../schema/run.ts';
import type { Context } from '../../work/context.ts';
import { type SourcedIssues, topOf } from '../../work/kinds/plan-from-issues/read-issues.ts';
import { withProgramOptions } from '../agents/agent-options.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { appContextOf } from '../context.ts';
import { interruptible } from '../interrupt.ts';
import { type IssueFlags, readFlaggedIssues, withIssueSource } from '../issues/source.ts';
import { lineView } from '../line-view.ts';
import { print, printJson, tell } from '../output.ts';
import { oneLine, tablePrinter } from '../table.ts';
import { type TrustOptions, withTrustOption } from '../trust/trust-options.ts';

const pc = colorsOn(process.stdout);

interface AnalyzeOptions extends CommonOptions, IssueFlags, TrustOptions, Partial<AgentOptions> {
  maxQuestions: number;
  explain?: true;
}

export function define(issues: Command): void {
  issues
    .description('Read issues and find what they leave open.')
    .addHelpText('after', '\nExample:\n  fermata issues analyze --from-dir examples/issues');
  withTrustOption(withProgramOptions(withIssueSource(issues.command('analyze'))))
    .summary('find what is unclear in each issue, and what to ask')
    .description('Find what is unclear in each issue, and what to ask.')
    .option(
      '--max-questions <number>',
      'ask at most this many; the rest become assumptions',
      wholeNumber('--max-questions', 0, 1000),
      MAX_QUESTIONS,
    )
    .option('--agent <name>', 'have an agent judge what the rules find (default: only the rules)')
    .option('--explain', 'also print why each question is asked, and what is not asked')
    .addHelpText(
      'after',
      `
Examples:
  fermata issues analyze --repo owner/name --label bug
  gh issue list --json number,title,body,labels | fermata issues analyze --from-file -
  fermata issues analyze --from-dir examples/issues --explain
  fermata issues analyze --milestone v2 --agent claude
  fermata issues analyze --from-file issues.json --format json | jq '.questions[].question'`,
    )
    .action(async (options: AnalyzeOptions) => {
      const view = lineView();
      const around = { cwd: process.cwd(), env: process.env, report: view.report };
      const analysis = await interruptible(async (signal) => {
        const source = await readFlaggedIssues(around, options, signal);
        const stack = detectStack(topOf(process.cwd()));
        const judged = await judgedBy(options, source, stack, view.report, signal);
        signal.throwIfAborted();
        return analyzeChecked(source.issues, { stack, maxQuestions: options.maxQuestions, ...judged });
      }).finally(view.close);
      await (options.format === 'json' ? printJson(analysis) : show(analysis, options.explain ?? false));
    });
}

/** What an agent says about the issues, if one is named. */
async function judgedBy(
  { agent, agentCommand, model, ...options }: AnalyzeOptions,
  source: SourcedIssues,
  stack: Stack,
  report: Context['report'],
  signal: AbortSignal,
): Promise<Pick<AnalysisOptions, 'judged'>> {
  if (agent === undefined && agentCommand === undefined) return {};
  const { analyzeWith } = await import('../../work/kinds/analyze.ts');
  const { withTrustedCommandContext } = await import('../command-context.ts');
  const wanted = { agent: agent ?? 'command', agentCommand, model };
  return withTrustedCommandContext(options, async (context) => {
    const own = { ...appContextOf(context, options), report };
    return { judged: await analyzeWith(own, source, wanted, { ...options, stack, signal }) };
  });
}

async function show({ issues, questions, assumptions }: Analysis, explains: boolean): Promise<void> {
  if (issues.length === 0) return tell('There are no issues.');
  const lines = tablePrinter<IssueReport>([
    { heading: 'ISSUE', cell: ({ number }) => `#${number}` },
    { heading: 'KIND', cell: ({ kind }) => kind },
    { heading: 'SCORE', cell: ({ score }) => score },
    { heading: 'GAPS', cell: ({ gaps }) => gaps.map((gap) => gap.gap_type).join(', ') || '–' },
    { heading: 'TITLE', cell: ({ title }) => title, flexible: true },
  ])(issues);
  await print(lines.join('\n'));
  for (const question of questions) await print(`\n${asked(question)}`);
  if (assumptions.length > 0) await print(`\n${pc.bold('Assumed instead of asked')}`);
  for (const { assumption, question } of assumptions) {
    await print(`- ${oneLine(question)}\n  ${pc.dim(oneLine(assumption))}`);
  }
  if (explains) await explain(issues);
  const alone = issues.filter(({ gaps }) => gaps.length === 0).length;
  tell(`\n${alone} of ${issues.length} issues need no question; ${questions.length} to ask.`);
}

/** What was found where, and what is not asked. */
async function explain(issues: IssueReport[]): Promise<void> {
  for (const { number, title, gaps, dropped = [], evidence } of issues) {
    const steps = [
      ...gaps.flatMap((gap) => [
        `  ${gapLabels[gap.gap_type]}: ${oneLine(gap.context)}`,
        ...gap.evidence.map(found),
      ]),
      ...dropped.map(({ gap_type, reason }) => `  ${gapLabels[gap_type]}, not asked: ${oneLine(reason)}`),
      ...(gaps.length > 0 ? [] : evidence.map(found)),
    ];
    await print([`\n${pc.bold(`#${number} ${oneLine(title)}`)}`, ...steps].join('\n'));
  }
}

const found = ({ kind, in: place, line, text }: IssueReport['evidence'][number]) =>
  pc.dim(`    ${kind}, ${place} line ${line}: "${oneLine(text)}"`);

function asked({
  id,
  severity,
  question,
  context,
  options,
  recommended,
  reason,
  assumed,
}: PlannedQuestion): string {
  const mark = severity === 'critical' ? pc.red('critical') : pc.yellow('warning');
  return [
    `${pc.bold(oneLine(question))} ${pc.dim('(')}${mark}${pc.dim(`, ${id})`)}`,
    pc.dim(`  ${oneLine(context)}`),
    ...options.map(
      (option) =>
        `  ○ ${oneLine(option)}${option === recommended ? pc.dim(` (recommended: ${oneLine(reason ?? '')})`) : ''}`,
    ),
    pc.dim(`  Otherwise: ${oneLine(assumed)}`),
  ].join('\n');
}

import type { Command } from 'commander';
import { colorsOn } from '../../channels/colors.ts';
import { type Analysis, analyzeChecked, type IssueReport, MAX_QUESTIONS } from '../../issues/gaps/analyze.ts';
import type { PlannedQuestion } from '../../issues/questions/plan-questions.ts';
import { detectStack } from '../../issues/repository/stack.ts';
import { topOf } from '../../work/kinds/plan-from-issues/read-issues.ts';
import { type CommonOptions, wholeNumber } from '../command.ts';
import { interruptible } from '../interrupt.ts';
import { type IssueFlags, readFlaggedIssues, withIssueSource } from '../issues/source.ts';
import { lineView } from '../line-view.ts';
import { print, printJson, tell } from '../output.ts';
import { oneLine, tablePrinter } from '../table.ts';

const pc = colorsOn(process.stdout);

interface AnalyzeOptions extends CommonOptions, IssueFlags {
  maxQuestions: number;
}

export function define(issues: Command): void {
  issues
    .description('Read issues and find what they leave open.')
    .addHelpText('after', '\nExample:\n  fermata issues analyze --from-dir examples/issues');
  withIssueSource(issues.command('analyze'))
    .summary('find what is unclear in each issue, and what to ask')
    .description('Find what is unclear in each issue, and what to ask.')
    .option(
      '--max-questions <number>',
      'ask at most this many; the rest become assumptions',
      wholeNumber('--max-questions', 0, 1000),
      MAX_QUESTIONS,
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata issues analyze --repo owner/name --label bug
  gh issue list --json number,title,body,labels | fermata issues analyze --from-file -
  fermata issues analyze --from-dir examples/issues
  fermata issues analyze --from-file issues.json --format json | jq '.questions[].question'`,
    )
    .action(async (options: AnalyzeOptions) => {
      const view = lineView();
      const around = { cwd: process.cwd(), env: process.env, report: view.report };
      const { issues: read } = await interruptible((signal) =>
        readFlaggedIssues(around, options, signal).finally(view.close),
      );
      const analysis = analyzeChecked(read, {
        stack: detectStack(topOf(process.cwd())),
        maxQuestions: options.maxQuestions,
      });
      await (options.format === 'json' ? printJson(analysis) : show(analysis));
    });
}

async function show({ issues, questions, assumptions }: Analysis): Promise<void> {
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
  const alone = issues.filter(({ gaps }) => gaps.length === 0).length;
  tell(`\n${alone} of ${issues.length} issues need no question; ${questions.length} to ask.`);
}

function asked({ id, severity, question, context, options, recommended, assumed }: PlannedQuestion): string {
  const mark = severity === 'critical' ? pc.red('critical') : pc.yellow('warning');
  return [
    `${pc.bold(oneLine(question))} ${pc.dim('(')}${mark}${pc.dim(`, ${id})`)}`,
    pc.dim(`  ${oneLine(context)}`),
    ...options.map(
      (option) => `  ○ ${oneLine(option)}${option === recommended ? pc.dim(' (recommended)') : ''}`,
    ),
    pc.dim(`  Otherwise: ${oneLine(assumed)}`),
  ].join('\n');
}

import type { Command } from 'commander';
import { isPipeMode } from '../../config/pipe.ts';
import { MOST_QUESTIONS } from '../../planning/gaps/analyze.ts';
import { FermataError } from '../../schema/error.ts';
import { withAgentOptions } from '../agents/choose.ts';
import { wholeNumber } from '../command.ts';
import { interruptible } from '../interrupt.ts';
import { withIssueSource } from '../issues/source.ts';
import { keepStdoutForQuestions } from '../output.ts';
import type { PlanFromIssuesOptions } from '../plan-from-issues/options.ts';
import { withSession } from '../session.ts';

export function define(command: Command): void {
  withAgentOptions(withIssueSource(command))
    .description(
      'Turn issues into an audited plan of phases. What they leave open is asked: here, over a pipe, or anywhere else.',
    )
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--max-questions <number>',
      'ask at most so many; the rest become assumptions',
      wholeNumber('--max-questions', 0, 1000),
      MOST_QUESTIONS,
    )
    .option('--questions-only', 'print the questions as one JSON document, and do nothing else')
    .option('--answers-file <file>', 'take answers from this file, by id or by exact question text')
    .option('--require-answers', 'write no plan while a question is open; exit code 3 then')
    .option('--again', 'plan issues once more that a finished plan has covered')
    .option('--update-issues', 'write the answers to the issues as comments, after a preview')
    .option('--timeout <duration>', 'how long the agent may work on each attempt', '30m')
    .addHelpText(
      'after',
      `
Examples:
  fermata plan-from-issues --repo owner/name --milestone v2
  fermata plan-from-issues --from-dir examples/issues --output plans/library
  fermata plan-from-issues --questions-only > questions.json     fill in an "answer" for each, then:
  fermata plan-from-issues --answers-file questions.json

Questions are asked in this terminal, or with FERMATA_QA_PIPE=1 of the parent process (docs/planning-from-issues.md).
Each can be answered on any other channel meanwhile (fermata inbox, fermata answer). What was answered is never asked
again: started anew after an interruption, the same command goes on with it.
Exit codes: 0 written, 1 no attempt passed the audit, 3 answers are needed, 4 the agent could not be run, 130 interrupted.`,
    )
    .action(async (options: PlanFromIssuesOptions) => {
      const usesPipe = isPipeMode(process.env) && !options.questionsOnly;
      if (usesPipe) keepStdoutForQuestions();
      if (usesPipe && options.fromFile === '-') {
        throw new FermataError('invalid', 'stdin is the pipe for answers: give the issues as a file.');
      }
      const { planFromIssues } = await import('../plan-from-issues/plan-from-issues.ts');
      await interruptible((signal) =>
        withSession(options, (session) => planFromIssues(session, options, usesPipe, signal)),
      );
    });
}

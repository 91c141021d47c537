import type { Command } from 'commander';
import { MAX_QUESTIONS } from '../../issues/gaps/analyze.ts';
import { FermataError } from '../../schema/error.ts';
import { withAgentOptions } from '../agents/agent-options.ts';
import { wholeNumber } from '../command.ts';
import { withTrustedCommandContext } from '../command-context.ts';
import { interruptible } from '../interrupt.ts';
import { withIssueSource } from '../issues/source.ts';
import { takesPipe } from '../pipe.ts';
import type { PlanFromIssuesOptions } from '../plan-from-issues/options.ts';
import { refuseStrayNeeds, withQueueOptions } from '../queue-options.ts';
import { withTrustOption } from '../trust/trust-options.ts';

export function define(command: Command): void {
  withQueueOptions(withTrustOption(withAgentOptions(withIssueSource(command))), 'it')
    .description(
      'Turn issues into an audited plan of phases. Fermata asks about what they leave open: here, over a pipe, or on any other channel.',
    )
    .option('--output <dir>', 'where the plan goes (default: plans/NAME in the project)')
    .option(
      '--max-questions <number>',
      'ask at most this many; the rest become assumptions',
      wholeNumber('--max-questions', 0, 1000),
      MAX_QUESTIONS,
    )
    .option(
      '--max-iterations <number>',
      'the maximum number of attempts for the agent',
      wholeNumber('--max-iterations', 1, 20),
      3,
    )
    .option('--questions-only', 'only print the questions, as one JSON document')
    .option('--answers-file <file>', 'take answers from this file, by id or by exact question text')
    .option('--require-answers', 'write no plan while a question is open (exit code 3)')
    .option('--again', 'plan issues again even if a finished plan already covers them')
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

Fermata asks in this terminal or, with FERMATA_QA_PIPE=1, asks the parent process (docs/planning-from-issues.md).
You can answer on any other channel as well (fermata inbox, fermata answer). Fermata never asks an answered question
again: after an interruption, run the same command to continue.
Exit codes: 0 written, 1 no attempt passed the audit, 3 answers needed, 4 the agent could not run, 130 interrupted.`,
    )
    .action(async (options: PlanFromIssuesOptions) => {
      const usesPipe = !options.questionsOnly && takesPipe();
      if (usesPipe && options.fromFile === '-') {
        throw new FermataError('invalid', 'stdin is the pipe for answers. Pass the issues as a file.');
      }
      refuseStrayNeeds(options);
      if (options.queue) return (await import('../plan-from-issues/queue.ts')).queueIssues(options);
      const { planFromIssues } = await import('../plan-from-issues/plan-from-issues.ts');
      await interruptible((signal) =>
        withTrustedCommandContext(options, (context) => planFromIssues(context, options, usesPipe, signal)),
      );
    });
}

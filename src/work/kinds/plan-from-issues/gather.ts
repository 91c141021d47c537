import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { shownPath } from '../../../files/real-path.ts';
import { analyzeChecked } from '../../../issues/gaps/analyze.ts';
import type { Issue } from '../../../issues/issue.ts';
import type { PlannedQuestion } from '../../../issues/questions/plan-questions.ts';
import { detectStack, type Stack } from '../../../issues/repository/stack.ts';
import { coveredIssues } from '../../../plan/from-issues/complete-master.ts';
import { cutIssues } from '../../../plan/from-issues/prompt.ts';
import { slug } from '../../../plan/plan-folder.ts';
import { counted } from '../../../schema/counted.ts';
import { FermataError } from '../../../schema/error.ts';
import { limits } from '../../../schema/limits.ts';
import type { Context } from '../../context.ts';
import { type SourcedIssues, topOf } from './read-issues.ts';

/** What a plan is made from, and every possible question about it, most important first. */
export interface Gathered {
  issues: Issue[];
  repo: string | undefined;
  stack: Stack;
  questions: PlannedQuestion[];
  /** The asker: the place that the issues come from. */
  asker: string;
  /** A name for the plan. */
  name: string;
}

export interface GatherOptions {
  /** The plan's folder. */
  output?: string;
  /** Whether to plan issues that a finished plan already covers. */
  planAgain?: boolean;
}

/** Finds what the issues leave open. */
export function gather(context: Context, source: SourcedIssues, options: GatherOptions): Gathered {
  const { cwd, settings, report } = context;
  const { issues, repo, milestone } = source;
  const { root } = settings.project.value;
  reportCovered(context, source, options);
  const stack = detectStack(topOf(cwd));
  const { issues: reports, questions } = analyzeChecked(issues, {
    stack,
    maxQuestions: Number.POSITIVE_INFINITY,
  });
  const alone = reports.filter(({ gaps }) => gaps.length === 0).length;
  report({ kind: 'notice', text: `Read ${counted(issues.length, 'issue')}; ${alone} without gaps.` });
  const from = isAbsolute(source.from) ? shownPath(source.from, root) : source.from;
  return {
    ...{ issues, repo, stack, questions },
    asker: from.slice(0, limits.id),
    name: slug(milestone ?? (issues.length === 1 ? issues[0]?.title : undefined) ?? basename(from)),
  };
}

/** The most issues that one plan and one prompt can hold. */
const MAX_ISSUES = 400;

export function refuseUnusable({ issues }: SourcedIssues): void {
  if (issues.length === 0) throw new FermataError('not_found', 'No open issues found.');
  if (issues.length > MAX_ISSUES) {
    throw new FermataError(
      'invalid',
      `${issues.length} issues are too many for one plan (at most ${MAX_ISSUES}). Choose some with --milestone, --label, --issue or --limit.`,
    );
  }
}

/** Reports the issues that are too long for the prompt and are cut. */
export function reportCut({ report }: Context, { issues }: Gathered): void {
  const cut = cutIssues(issues).map((number) => `#${number}`);
  if (cut.length > 0)
    report({ kind: 'notice', text: `Shortened because they are too long for the agent: ${cut.join(', ')}.` });
}

function reportCovered(
  { cwd, settings, report }: Context,
  { issues, repo }: SourcedIssues,
  { output, planAgain }: GatherOptions,
): void {
  const plans = [
    join(settings.project.value.root, 'plans'),
    ...(output ? [dirname(resolve(cwd, output))] : []),
  ];
  const covered = coveredIssues(issues, repo, plans);
  if (covered.length === 0) return;
  const named = covered.map(
    ({ issue, folder }) => `  #${issue.number} ${issue.title} (${shownPath(folder, cwd)})`,
  );
  const text = `A finished plan already covers these issues:\n${named.join('\n')}`;
  if (!planAgain) throw new FermataError('conflict', `${text}\nTo plan them again, pass --again.`);
  report({ kind: 'notice', text });
}

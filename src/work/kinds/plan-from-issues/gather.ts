import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { shownPath } from '../../../files/real-path.ts';
import { type AnalysisOptions, analyzeChecked } from '../../../issues/gaps/analyze.ts';
import { gapLabels } from '../../../issues/gaps/gap.ts';
import type { Issue } from '../../../issues/issue.ts';
import type { PlannedQuestion } from '../../../issues/questions/plan-questions.ts';
import { detectStack, type Stack } from '../../../issues/repository/stack.ts';
import { coveredIssues } from '../../../plan/from-issues/complete-master.ts';
import { cutIssues } from '../../../plan/from-issues/prompt.ts';
import { slug } from '../../../plan/plan-folder.ts';
import { counted } from '../../../schema/counted.ts';
import { FermataError } from '../../../schema/error.ts';
import { limits } from '../../../schema/limits.ts';
import { oneLine } from '../../../text/lines.ts';
import type { Context } from '../../context.ts';
import { type SourcedIssues, topOf } from './read-issues.ts';

/** What a plan is made from. */
export interface Gathered {
  issues: Issue[];
  repo: string | undefined;
  stack: Stack;
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

/** Looks at where the issues come from, and at the repository. */
export function gather(context: Context, source: SourcedIssues, options: GatherOptions): Gathered {
  const { cwd, settings } = context;
  const { issues, repo, milestone } = source;
  const { root } = settings.project.value;
  reportCovered(context, source, options);
  const stack = detectStack(topOf(cwd));
  const asker = askerOf(source, root);
  return {
    ...{ issues, repo, stack, asker },
    name: slug(milestone ?? (issues.length === 1 ? issues[0]?.title : undefined) ?? basename(asker)),
  };
}

/** The place that the issues come from, as people name it. */
export const askerOf = ({ from }: Pick<SourcedIssues, 'from'>, root: string) =>
  (isAbsolute(from) ? shownPath(from, root) : from).slice(0, limits.id);

/** Every question about the issues, most important first: the rules' own, and those of the Analyst. */
export function questionsOf(
  { report }: Pick<Context, 'report'>,
  { issues, stack }: Gathered,
  judged?: AnalysisOptions['judged'],
  keepsAll = false,
): PlannedQuestion[] {
  const maxQuestions = Number.POSITIVE_INFINITY;
  const found = analyzeChecked(issues, { stack, maxQuestions, keepsAll, ...(judged ? { judged } : {}) });
  const alone = found.issues.filter(({ gaps }) => gaps.length === 0).length;
  const dropped = found.issues.flatMap(({ number, dropped = [] }) =>
    dropped.map(({ gap_type, reason }) => `  #${number} ${gapLabels[gap_type]}: ${oneLine(reason)}`),
  );
  const left = dropped.length > 0 ? `\nNot asked, although the rules would:\n${dropped.join('\n')}` : '';
  report({ kind: 'notice', text: `Read ${counted(issues.length, 'issue')}; ${alone} without gaps.${left}` });
  return found.questions;
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

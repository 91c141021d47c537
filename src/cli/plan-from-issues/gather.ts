import { basename, dirname, join, relative, resolve } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { analyzeIssues } from '../../issues/gaps/analyze.ts';
import type { PlannedQuestion } from '../../issues/gaps/plan-questions.ts';
import type { Issue } from '../../issues/issue.ts';
import { detectStack, type Stack } from '../../issues/repository/stack.ts';
import { type Covered, coveredIssues } from '../../plan/from-issues/covered-issues.ts';
import { cutIssues } from '../../plan/from-issues/prompt.ts';
import { slug } from '../../plan/plan-folder.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { readIssues } from '../issues/source.ts';
import { tell } from '../output.ts';
import { shownPath } from '../shown-path.ts';
import type { PlanFromIssuesOptions } from './options.ts';

/** What a plan is made from, and everything that could be asked about it, the most important first. */
export interface Gathered {
  issues: Issue[];
  repo: string | undefined;
  stack: Stack;
  questions: PlannedQuestion[];
  /** Who asks: the place that the issues come from. The same place has the same questions, whichever plan it is for. */
  asker: string;
  /** A name for the plan. */
  name: string;
}

/** More than one plan can hold, and more than one prompt can. */
const MOST_ISSUES = 400;

export async function gather(options: PlanFromIssuesOptions, root: string): Promise<Gathered> {
  const folder = findRepository(process.cwd())?.top ?? process.cwd();
  const { issues, repo } = await readIssues(options, folder);
  refuseUnusable(issues, options);
  const plans = [join(root, 'plans'), ...(options.output ? [dirname(resolve(options.output))] : [])];
  tellCovered(coveredIssues(issues, repo, plans), options);
  const stack = detectStack(folder);
  const { issues: reports, questions } = analyzeIssues(issues, {
    stack,
    maxQuestions: Number.POSITIVE_INFINITY,
  });
  const alone = reports.filter(({ gaps }) => gaps.length === 0).length;
  tell(`Read ${counted(issues.length, 'issue')}; ${alone} without gaps.`);
  const cut = cutIssues(issues);
  if (cut.length > 0 && !options.questionsOnly) {
    tell(`Cut because they are too long for the agent: ${numbered(cut)}.`);
  }
  const place = repo ?? placeOf(options, root);
  return {
    issues,
    repo,
    stack,
    questions,
    asker: place.slice(0, limits.id),
    name: slug(options.milestone ?? (issues.length === 1 ? issues[0]?.title : undefined) ?? basename(place)),
  };
}

function placeOf({ fromDir, fromFile }: PlanFromIssuesOptions, root: string): string {
  if (fromDir === undefined && fromFile === '-') return 'stdin';
  const path = resolve(fromDir ?? fromFile ?? '.');
  const inside = relative(root, path);
  return inside === '' || inside.startsWith('..') ? path : inside;
}

function refuseUnusable(issues: Issue[], { questionsOnly }: PlanFromIssuesOptions): void {
  if (questionsOnly) return;
  if (issues.length === 0) throw new FermataError('not_found', 'No open issues found.');
  if (issues.length > MOST_ISSUES) {
    throw new FermataError(
      'invalid',
      `${issues.length} issues are too many for one plan (at most ${MOST_ISSUES}). Choose some with --milestone, --label, --issue or --limit.`,
    );
  }
}

function tellCovered(covered: Covered[], { again }: PlanFromIssuesOptions): void {
  if (covered.length === 0) return;
  const named = covered.map(
    ({ issue, folder }) => `  #${issue.number} ${issue.title} (${shownPath(folder)})`,
  );
  const message = `A finished plan already covers these issues:\n${named.join('\n')}`;
  if (!again) throw new FermataError('conflict', `${message}\nTo plan them again, pass --again.`);
  tell(message);
}

const numbered = (numbers: number[]) => numbers.map((number) => `#${number}`).join(', ');

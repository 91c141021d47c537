import type { JudgedIssue } from '../../schema/judgement.ts';
import type { GapType, Severity } from '../../schema/qa.ts';
import { type Settled, settle } from '../analyst/merge.ts';
import { checkIssues, type Issue, type IssueInput } from '../issue.ts';
import { ask } from '../questions/ask.ts';
import { relatedAmong } from '../questions/names.ts';
import { type Assumption, type PlannedQuestion, planQuestions } from '../questions/plan-questions.ts';
import type { Stack } from '../repository/stack.ts';
import { type Evidence, type IssueKind, severityOf } from './gap.ts';
import { judgeIssue } from './judge.ts';

/** What an issue leaves open, with the question that would close it. */
interface Gap {
  gap_type: GapType;
  severity: Severity;
  evidence: Evidence[];
  question: string;
  options: string[];
  recommended?: string;
  context: string;
}

export interface IssueReport {
  number: number;
  title: string;
  kind: IssueKind;
  /** From 0 to 100; 100 has no gap. */
  score: number;
  gaps: Gap[];
  /** What the rules found and the Analyst does not want asked. */
  dropped?: Settled['dropped'];
  /** The strongest evidence in favour of the issue, after text that addresses the program that reads it. */
  evidence: Evidence[];
}

export interface Analysis {
  issues: IssueReport[];
  /** What to ask: each question once, critical ones first, within the budget. */
  questions: PlannedQuestion[];
  /** What is not asked, and what is assumed instead. */
  assumptions: Assumption[];
}

export interface AnalysisOptions {
  /** What the repository is made with; see `detectStack`. */
  stack?: Stack;
  /** 7 by default. */
  maxQuestions?: number;
  /** What the Analyst says about the issues, by number. */
  judged?: ReadonlyMap<number, JudgedIssue>;
  /** Whether the Analyst only adds to what the rules find. */
  keepsAll?: boolean;
  /** The name of a rule to leave out, to measure what it contributes. */
  without?: string;
}

export const MAX_QUESTIONS = 7;

/**
 * Finds what issues leave open, by evidence in their texts and in the repository, and plans the questions.
 *
 * `analyzeIssues(JSON.parse(output of gh issue list --json number,title,body,labels))`
 */
export function analyzeIssues(issues: readonly IssueInput[], options: AnalysisOptions = {}): Analysis {
  return analyzeChecked(checkIssues(issues, 'The list of issues'), options);
}

/** Like `analyzeIssues`, for issues that were checked when they were read. */
export function analyzeChecked(
  issues: readonly Issue[],
  { stack, maxQuestions = MAX_QUESTIONS, judged: byAnalyst, keepsAll = false, without }: AnalysisOptions,
): Analysis {
  const around = { stack, related: relatedAmong(issues) };
  const judged = issues.map((issue) => {
    const byRules = judgeIssue(issue, stack, without);
    return { issue, ...byRules, ...settle(issue, byRules, byAnalyst?.get(issue.number), keepsAll) };
  });
  const gaps = judged.flatMap(({ issue, kind, findings }) =>
    findings.map((finding) => ({ issue, kind, finding })),
  );
  const worded = judged.flatMap(({ questions }) => questions);
  return {
    issues: judged.map(({ issue, kind, findings, questions, dropped, evidence }) => ({
      number: issue.number,
      title: issue.title,
      kind,
      score: score([
        ...findings.map(({ type }) => type),
        ...questions.flatMap(({ question }) => question.covers),
      ]),
      gaps: [
        ...questions.map(({ question: { gap_type, severity, question, options, recommended, context } }) => ({
          ...{ gap_type, severity, evidence: [], question, options, context },
          ...(recommended === undefined ? {} : { recommended }),
        })),
        ...findings.map((finding) => {
          const { assumed: _, ...asked } = ask(finding, { ...around, kind, own: [issue], covers: [] });
          const { type, evidence } = finding;
          return { gap_type: type, severity: severityOf(type), evidence, ...asked };
        }),
      ],
      ...(dropped.length > 0 ? { dropped } : {}),
      evidence: shown(evidence),
    })),
    ...planQuestions(gaps, maxQuestions, around, worded),
  };
}

const score = (open: GapType[]) => [...new Set(open)].reduce((left, type) => left - worth[type], 100);

/** How much a gap lowers the score. */
const worth: Record<GapType, number> = {
  acceptance_criteria: 30,
  validation: 25,
  tech_stack: 15,
  scope: 10,
  dependencies: 10,
  context: 10,
  general: 0,
};

const SHOWN = 8;

function shown(evidence: Evidence[]): Evidence[] {
  const strong = evidence.filter(({ weight }) => weight >= 0.5);
  return strong.sort((a, b) => b.weight - a.weight).slice(0, SHOWN);
}

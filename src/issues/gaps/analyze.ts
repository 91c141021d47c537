import type { GapType, Severity } from '../../schema/qa.ts';
import { checkIssues, type Issue, type IssueInput } from '../issue.ts';
import type { Stack } from '../repository/stack.ts';
import { choicesOf } from './ask/options.ts';
import { contextText, questionText, type Related, relatedAmong } from './ask/wording.ts';
import type { Evidence, IssueKind } from './gap.ts';
import { type Finding, severityOf } from './gap.ts';
import { judgeIssue } from './judge/judge.ts';
import { type Assumption, type PlannedQuestion, planQuestions } from './plan-questions.ts';
import { compilePhrases } from './words/phrases.ts';

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
  /** The strongest evidence in favour of the issue. */
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
  { stack, maxQuestions = MAX_QUESTIONS }: AnalysisOptions,
): Analysis {
  compilePhrases();
  const related = relatedAmong(issues);
  const judged = issues.map((issue) => ({ issue, ...judgeIssue(issue, stack) }));
  const gaps = judged.flatMap(({ issue, kind, findings }) =>
    findings.map((finding) => ({ issue, kind, finding })),
  );
  return {
    issues: judged.map(({ issue, kind, findings, evidence }) => ({
      number: issue.number,
      title: issue.title,
      kind,
      score: scoreOf(findings),
      gaps: findings.map((finding) => gapInWords(finding, kind, issue, stack, related)),
      evidence: shown(evidence),
    })),
    ...planQuestions(gaps, maxQuestions, stack, related),
  };
}

function gapInWords(
  finding: Finding,
  kind: IssueKind,
  issue: Issue,
  stack: Stack | undefined,
  related: Related,
): Gap {
  const { options, recommended } = choicesOf(finding, { kind, stack, related, own: [issue] });
  return {
    gap_type: finding.type,
    severity: severityOf(finding.type),
    evidence: finding.evidence,
    question: questionText(finding, kind, [issue]),
    options,
    ...(recommended === undefined ? {} : { recommended }),
    context: contextText(finding, kind),
  };
}

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

function scoreOf(findings: Finding[]): number {
  return findings.reduce((score, { type }) => score - worth[type], 100);
}

const against = new Set([
  'unbounded',
  'universal',
  'open_question',
  'other_work',
  'elsewhere',
  'empty_section',
]);
const SHOWN = 8;

function shown(evidence: Evidence[]): Evidence[] {
  return evidence
    .filter(({ kind, weight }) => !against.has(kind) && weight >= 0.5)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, SHOWN);
}

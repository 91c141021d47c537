import { type AnalysisOptions, analyzeIssues, type IssueReport } from '../../../src/issues/gaps/analyze.ts';
import type { GapType } from '../../../src/schema/qa.ts';

export interface Draft {
  title: string;
  body?: string | null;
  labels?: string[];
  comments?: string[];
}

/** Analyses one issue. */
export function report({ comments = [], ...draft }: Draft, options: AnalysisOptions = {}): IssueReport {
  const issue = { number: 1, ...draft, comments: comments.map((body) => ({ body })) };
  const [found] = analyzeIssues([issue], options).issues;
  if (!found) throw new Error('no report');
  return found;
}

export function gapsOf(draft: Draft, options: AnalysisOptions = {}): GapType[] {
  return report(draft, options).gaps.map((gap) => gap.gap_type);
}

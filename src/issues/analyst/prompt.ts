import { createHash } from 'node:crypto';
import type { IssueReport } from '../gaps/analyze.ts';
import { type Issue, issueText } from '../issue.ts';
import { issuePart, listPart } from '../issue-part.ts';
import analyst from './analyst.md';

/** An issue with what the rules found in it. */
export interface ToJudge {
  issue: Issue;
  found: IssueReport['gaps'];
}

export interface AnalystRequest {
  batch: readonly ToJudge[];
  /** The project's own prompt. */
  own?: string | undefined;
  repository: string;
  /** What was decided before, a line each. */
  decisions: readonly string[];
}

/** How to answer; always included, because only this can be read. */
const ANSWER = `# Your answer

Answer with one JSON object and nothing else. It has every issue above, also those without gaps:

{"issues": [{"number": 12, "gaps": [{"type": "scope", "covers": ["scope", "acceptance_criteria"], "question": "Is #12 only a writing guide, or should the program ship a command that moves the data?", "why": "The title names a guide, the last sentence a tool.", "quote": "something that helps people move", "place": "body", "options": ["Only the guide", "The guide and a command that moves the data"], "recommended": "Only the guide", "reason": "The issue is labelled docs.", "assumed": "Only the guide is written.", "weight": 3}], "dropped": [{"type": "validation", "reason": "The steps are in the comment."}]}]}

type and covers are acceptance_criteria, validation, scope, context, tech_stack or dependencies. weight says how much of the
work the answer changes: 1 (a detail), 2, 3 (all of it). Leave out options, recommended and reason where you have no basis.
`;

/** Asks the Analyst about a batch of issues. What people wrote is marked as data. */
export function analystPrompt({ batch, own, repository, decisions }: AnalystRequest): string {
  const values: Record<string, string> = {
    repository,
    decisions: listPart(decisions),
    findings: listPart(
      batch.flatMap(({ issue, found }) =>
        found.map(({ gap_type, question }) => `#${issue.number} ${gap_type}: ${question}`),
      ),
    ),
    issues: batch.map(({ issue }) => issuePart(issue, MAX_ISSUE)).join('\n\n'),
  };
  const filled = (own ?? analyst).replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
  return `${filled.trimEnd()}\n\n${ANSWER}`;
}

/** One issue may not take the room of the others; a person reads no more of it either. */
const MAX_ISSUE = 20_000;
const MAX_BATCH = 80_000;
const MOST = 20;

/** Few enough issues at once that each is read with care. */
export function batchesOf<T extends ToJudge>(issues: readonly T[]): T[][] {
  const batches: T[][] = [];
  let room = 0;
  for (const each of issues) {
    const size = Math.min(MAX_ISSUE, issueText(each.issue).length);
    const last = batches.at(-1);
    if (last && last.length < MOST && size <= room) last.push(each);
    else {
      batches.push([each]);
      room = MAX_BATCH;
    }
    room -= size;
  }
  return batches;
}

/** A hash of what the Analyst reads of an issue; the same text is judged once. */
export function readHash(issue: Issue, own: string | undefined): string {
  const { number, title, labels } = issue;
  const read = [own ?? analyst, ANSWER, number, title, labels, issueText(issue)];
  return createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 32);
}

/** Marks recorded answers, so that a changed prompt is visibly not measured. */
export const promptHash = createHash('sha256').update(`${analyst}\n${ANSWER}`).digest('hex').slice(0, 16);

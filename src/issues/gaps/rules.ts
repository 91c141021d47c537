import type { GapType } from '../../schema/qa.ts';
import * as find from './find.ts';
import type { Cause, IssueKind } from './gap.ts';
import type { Found, IssueText } from './read-issue.ts';
import { openTechnology } from './technology.ts';

export interface Rule {
  name: string;
  /** What it found, for the person who is asked. */
  says: string;
  points: Points;
  find: (text: IssueText, kind: IssueKind) => Found;
  /** What the question is about if this rule decides its gap. */
  cause?: Cause;
}

type Points = Partial<Record<GapType, number>>;
const columns = [
  'acceptance_criteria',
  'validation',
  'scope',
  'context',
  'tech_stack',
  'dependencies',
] as const;

function points(row: readonly number[]): Points {
  return Object.fromEntries(columns.map((type, index) => [type, row[index] ?? 0]));
}

const rule = (
  name: string,
  says: string,
  row: readonly number[],
  find: Rule['find'],
  cause?: Cause,
): Rule => ({
  ...{ name, says, points: points(row), find },
  ...(cause ? { cause } : {}),
});

/** A gap with this many points is asked about. */
export const ENOUGH = 1;

/** The points of each gap before any rule, in the columns of the table. */
export const START: Record<IssueKind, Points> = {
  feature: points([1.2, 1.2, 0.3]),
  chore: points([1.2, 1.2, 0.3]),
  bug: points([0.7, 1.1]),
  docs: points([0.5, 0.3, 0.2]),
  question: {},
};

/**
 * The one table of weights: a row per rule, with its points for acceptance criteria, validation, scope, context,
 * technology and dependencies. Each is multiplied by how much the rule found, from 0 to 1. Points below zero close a gap.
 */
export const rules: readonly Rule[] = [
  // What makes any issue clear
  rule('told', 'words beyond the title', [-0.6, -0.6, -0.6, -1], find.told),
  rule('title', 'a title that says it', [-0.3, -0.3, -0.3, -0.6], find.longTitle),
  rule('code', 'code or a table', [-0.6, -0.6, -0.5, -0.8], find.code),
  rule('criteria', 'acceptance criteria', [-0.9, -0.9, -0.3, -0.4], find.criteria),
  rule('check', 'how to check it', [0, -0.6], find.check),
  rule('behaviour', 'what happens when, or what becomes what', [-0.6, -0.6, -0.4, -0.5], find.behaviour),
  rule('detail', 'a number, a file, quoted words or an example', [-0.3, -0.3, -0.3, -0.3], find.detail),
  rule('target', 'a limit in numbers', [-0.8, -0.6, -0.5, -0.4], find.target),
  // What makes a bug clear
  rule('trigger', 'when it fails', [-0.4, -0.8, 0, -0.6], find.trigger),
  rule('reproduction', 'steps, an error message or a picture', [-0.4, -0.9, 0, -0.8], find.reproduction),
  // What leaves it open
  rule('unsteady', 'it happens only sometimes', [0, 0.8], find.unsteady, 'no_reproduction'),
  rule('vague', 'open-ended wording', [0.4, 0.4, 0.7, 0.4], find.vague, 'unbounded'),
  rule('integration', 'something to connect, not what of it', [0.2, 0.2, 0.5], find.integration, 'unbounded'),
  rule('no target', 'faster, without a target', [1.4], find.noTarget, 'no_target'),
  rule('undecided', 'it is not decided yet', [0.4, 0.5, 1.5], find.undecided, 'undecided'),
  rule('open question', 'a question without its answer', [0, 0, 3], find.openQuestion, 'open_question'),
  rule('unfilled', 'a template that was sent in unfilled', [0.6, 0.6, 0.6, 1], find.unfilled),
  rule('thin', 'hardly a word beyond the title', [0.3, 0.1, 0.4, 0.5], find.thin),
  rule('no subject', 'a title that names nothing', [0, 0, 0.3, 0.5], find.noSubject),
  rule('technology', 'a choice of technology not made', [0, 0, 0, 0, 1], openTechnology, 'open_choice'),
  rule('other work', 'other work without a link', [0, 0, 0, 0, 0, 1], find.otherWork, 'other_work'),
];

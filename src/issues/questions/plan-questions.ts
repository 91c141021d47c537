import type { GapType, Severity } from '../../schema/qa.ts';
import { contentWords } from '../gaps/find.ts';
import { type Cause, type Finding, type IssueKind, severityOf } from '../gaps/gap.ts';
import type { Issue } from '../issue.ts';
import { type Asked, ask, type Setting } from './ask.ts';

/** A gap of one issue, as it was found. */
export interface FoundGap {
  issue: Issue;
  kind: IssueKind;
  finding: Finding;
  /** Other gaps of the issue that the same answer closes. */
  covers?: Finding[];
}

/** One question to a person, for all the issues that it concerns. */
export interface PlannedQuestion extends Asked {
  id: string;
  gap_type: GapType;
  /** All the gaps that the answer closes. */
  covers: GapType[];
  severity: Severity;
  issues: number[];
  /** Its place among all questions, from 1: by impact × uncertainty. */
  rank: number;
}

/** A question with its impact × uncertainty, before it is ranked among the others. */
export interface WeighedQuestion {
  value: number;
  question: Omit<PlannedQuestion, 'id' | 'rank'>;
}

/** What is assumed because it is not asked. */
export interface Assumption {
  gap_type: GapType;
  issues: number[];
  question: string;
  assumption: string;
  reason: string;
}

export interface QuestionPlan {
  questions: PlannedQuestion[];
  assumptions: Assumption[];
}

/**
 * Merges gaps into questions, adds those that are worded already, ranks them (by impact × uncertainty),
 * and keeps at most `most`.
 */
export function planQuestions(
  gaps: FoundGap[],
  most: number,
  around: Pick<Setting, 'stack' | 'related'>,
  worded: readonly WeighedQuestion[] = [],
): QuestionPlan {
  const ranked = merged(folded(gaps.flatMap(oneByOne)))
    .map((group) => ({ value: weightOf(group), question: inWords(group, around) }))
    .concat(worded)
    .sort((a, b) => b.value - a.value)
    .map(({ question }) => question);
  return withinBudget(withIds(ranked), most);
}

/** The first `most` are asked, those about one issue together; the others become assumptions. */
export function withinBudget(ranked: PlannedQuestion[], most: number): QuestionPlan {
  const reason = `Not asked: ${most === 0 ? 'no questions are allowed' : `only ${most} questions are allowed, and others matter more`}.`;
  return {
    questions: grouped(ranked.slice(0, most), ({ issues }) => issues[0]).flatMap(criticalFirst),
    assumptions: ranked.slice(most).map(({ gap_type, issues, question, assumed }) => ({
      gap_type,
      issues,
      question,
      assumption: assumed,
      reason,
    })),
  };
}

/** Each open question of a text is a decision of its own. */
function oneByOne(gap: FoundGap): FoundGap[] {
  if (gap.finding.cause !== 'open_question') return [gap];
  return gap.finding.quotes.map((quote) => ({ ...gap, finding: { ...gap.finding, quotes: [quote] } }));
}

/**
 * Some gaps of one issue have the same answer: how to reproduce a bug also says what should happen instead, and what must
 * be true in the end also says how to check it, and what it is about.
 */
const wider: Partial<Record<Cause, Cause[]>> = {
  no_outcome: ['no_reproduction'],
  no_check: ['no_outcome', 'no_target'],
  no_problem: ['no_reproduction', 'no_outcome', 'no_target', 'unbounded'],
  unbounded: ['no_reproduction'],
};

function folded(gaps: FoundGap[]): FoundGap[] {
  return grouped(gaps, ({ issue }) => issue).flatMap((own) => {
    const causes = new Set(own.map(({ finding }) => finding.cause));
    const into = ({ finding }: FoundGap) => wider[finding.cause]?.find((cause) => causes.has(cause));
    return own
      .filter((gap) => into(gap) === undefined)
      .map((gap) => ({
        ...gap,
        covers: own.filter((other) => into(other) === gap.finding.cause).map(({ finding }) => finding),
      }));
  });
}

/** Gaps with the same answer become one question. */
function merged(gaps: FoundGap[]): FoundGap[][] {
  return grouped(gaps, (gap) => sharedKey(gap.finding) ?? gap);
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return [...groups.values()];
}

/** Issues can share an answer about technology or order, but never about what one of them is, or when it is done. */
function sharedKey({ cause, alternatives, quotes: [quote = ''] }: Finding): string | undefined {
  const key = (words: Iterable<string>) =>
    [cause, ...[...words].map((word) => word.toLowerCase()).sort()].join(' ');
  if (cause === 'open_choice' && alternatives.length > 0) return key(alternatives);
  return cause === 'other_work' ? key(contentWords(quote)) : undefined;
}

/** The cost of a wrong guess. */
export const impact: Record<GapType, number> = {
  acceptance_criteria: 1,
  validation: 0.8,
  tech_stack: 0.9,
  scope: 0.8,
  context: 0.7,
  dependencies: 0.6,
  general: 0.3,
};

function weightOf(group: FoundGap[]): number {
  const uncertainty = Math.max(...group.map(({ finding }) => finding.uncertainty));
  return impact[group[0]?.finding.type ?? 'general'] * uncertainty * (1 + Math.log2(group.length) / 2);
}

function inWords(group: FoundGap[], around: Pick<Setting, 'stack' | 'related'>): WeighedQuestion['question'] {
  const [{ finding, kind, covers = [] }] = group as [FoundGap];
  const own = group.map(({ issue }) => issue);
  return {
    gap_type: finding.type,
    covers: [finding.type, ...covers.map(({ type }) => type)],
    severity: severityOf(finding.type),
    ...ask(finding, { ...around, kind, own, covers }),
    issues: own.map(({ number }) => number),
  };
}

const criticalFirst = (ofIssue: PlannedQuestion[]) => [
  ...ofIssue.filter(({ severity }) => severity === 'critical'),
  ...ofIssue.filter(({ severity }) => severity !== 'critical'),
];

const LISTED = 6;

/** The same issues give the same ids, so that answers can be kept in a file. */
function withIds(questions: WeighedQuestion['question'][]): PlannedQuestion[] {
  const used = new Map<string, number>();
  return questions.map((question, index) => {
    const { issues } = question;
    const rest = issues.length > LISTED ? [`and-${issues.length - LISTED}-more`] : [];
    const id = [question.gap_type, ...issues.slice(0, LISTED), ...rest].join('-');
    const before = used.get(id) ?? 0;
    used.set(id, before + 1);
    return { ...question, id: before === 0 ? id : `${id}-${before + 1}`, rank: index + 1 };
  });
}

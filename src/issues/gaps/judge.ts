import { GapType } from '../../schema/qa.ts';
import type { Issue } from '../issue.ts';
import type { Stack } from '../repository/stack.ts';
import { clarified } from './find.ts';
import type { Cause, Evidence, Finding, IssueKind } from './gap.ts';
import { kindOf } from './kind.ts';
import { type Found, type IssueText, readIssue } from './read-issue.ts';
import { ENOUGH, type Rule, rules, START } from './rules.ts';
import { openTechnology } from './technology.ts';

export interface Judgement {
  kind: IssueKind;
  /** What speaks for the issue. */
  evidence: Evidence[];
  findings: Finding[];
}

type Applied = Rule & { found: Found };

/** In the order of the report. */
const judged = GapType.exclude(['general']).options;

/** Adds up the points of all rules, and finds at most one gap per type. `without` names a rule to leave out. */
export function judgeIssue(issue: Issue, stack: Stack | undefined, without?: string): Judgement {
  const text = readIssue(issue);
  const kind = kindOf(text);
  const applied = rules
    .filter(({ name }) => name !== without)
    .map((rule) => ({ ...rule, found: rule.find(text, kind) }))
    .filter(({ found }) => found.amount > 0);
  const closed = new Set(text.all.flatMap(clarified));
  if (decidedBy(stack, text, kind)) closed.add('tech_stack');
  const findings =
    kind === 'question'
      ? []
      : judged.flatMap((type) => (closed.has(type) ? [] : judge(type, text, kind, applied)));
  const steering = text.all.flatMap((each) => each.steering);
  return {
    ...{ kind, findings },
    evidence: [
      ...steering.map((place) => ({ kind: 'steering', ...place, weight: 1 })),
      ...applied.filter(({ points }) => sum(points) < 0).flatMap(evidenceOf),
    ],
  };
}

const sum = (points: Rule['points']) => Object.values(points).reduce((all, each) => all + each, 0);

function judge(type: GapType, text: IssueText, kind: IssueKind, applied: Applied[]): Finding[] {
  const worth = ({ points, found }: Applied) => (points[type] ?? 0) * found.amount;
  const total = applied.reduce((all, rule) => all + worth(rule), START[kind][type] ?? 0);
  if (total < ENOUGH - 1e-9) return [];
  const openers = applied.filter((rule) => worth(rule) > 0).sort((a, b) => worth(b) - worth(a));
  const asking = openers.find(({ cause }) => cause && typeOf[cause] === type);
  const missing = type === 'validation' && kind === 'bug' ? 'no_reproduction' : usual[type];
  const cause = asking?.cause ?? missing ?? 'no_outcome';
  return [
    {
      ...{ type, cause },
      uncertainty: Math.min(1, total / 2),
      evidence: openers.flatMap(evidenceOf),
      reasons: openers.map(({ says }) => says),
      quotes: quotesOf(cause, asking, openers),
      alternatives: type === 'tech_stack' ? openTechnology(text, kind).alternatives : [],
    },
  ];
}

/** The causes that a rule can give. */
const typeOf: Partial<Record<Cause, GapType>> = {
  no_target: 'acceptance_criteria',
  no_reproduction: 'validation',
  open_choice: 'tech_stack',
  other_work: 'dependencies',
  unbounded: 'scope',
  undecided: 'scope',
  open_question: 'scope',
};

/** What is missing if no rule says it. */
const usual: Partial<Record<GapType, Cause>> = {
  acceptance_criteria: 'no_outcome',
  validation: 'no_check',
  scope: 'unbounded',
  context: 'no_problem',
};

/** Each open question of a text is asked, other wording only once. */
function quotesOf(cause: Cause, asking: Applied | undefined, openers: Applied[]): string[] {
  const places = (asking ?? openers[0])?.found.places ?? [];
  const inText = places.filter((place) => place.in !== 'title');
  return (inText.length > 0 ? inText : places)
    .slice(0, cause === 'open_question' ? places.length : 1)
    .map(({ text }) => text);
}

function evidenceOf({ name, found }: Applied): Evidence[] {
  const weight = Math.round(found.amount * 100) / 100;
  return found.places.map((place) => ({ kind: name, ...place, weight }));
}

/** The repository already uses exactly one of the alternatives, or shows what was asked for. */
function decidedBy(stack: Stack | undefined, text: IssueText, kind: IssueKind): boolean {
  if (!stack) return false;
  const { alternatives, places } = openTechnology(text, kind);
  const used = [...stack.languages, ...stack.frameworks, ...stack.testRunners].map((name) =>
    name.toLowerCase(),
  );
  if (alternatives.length > 0)
    return alternatives.filter((name) => used.includes(name.toLowerCase())).length === 1;
  const asked = places[0]?.text ?? '';
  if (/\btest(?:ing)? (?:framework|runner|library|tool)/i.test(asked)) return stack.testRunners.length > 0;
  return /\b(?:programming )?language\b/i.test(asked) && stack.languages.length > 0;
}

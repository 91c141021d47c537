import type { Evidence, Finding, IssueKind } from '../gap.ts';
import { contentAmount } from '../text/content.ts';
import { phrases } from '../words/phrases.ts';
import type { Case } from './case.ts';
import { strongest, type Worth, weigh } from './case.ts';

/** A bug is clear to anyone who can reproduce it. */
const fault: Worth = {
  reproduction: [1],
  steps: [0.8],
  scenario: [1],
  playground: [0.8],
  stack_trace: [0.9],
  error: [0.7],
  code: [0.7, 0.8],
  diff: [0.8],
  expected: [0.4],
  actual: [0.3],
  trigger: [0.9, 1.1],
  contrast: [0.35, 0.5],
  picture: [0.9],
  location: [0.5, 0.6],
  criteria: [0.8],
  checklist: [0.6],
  test_plan: [0.8],
  description: [0.4],
  title: [0.2],
  behaviour: [0.2, 0.3],
  measure: [0.2],
  table: [0.3],
  list: [0.2],
};

/** A request is clear if the text says how the thing behaves. */
const wish: Worth = {
  checklist: [1],
  criteria: [1],
  scenario: [1],
  expected: [0.7],
  proposal: [0.4],
  test_plan: [0.3],
  list: [0.7],
  steps: [0.7],
  table: [0.6],
  code: [0.9],
  diff: [0.9],
  behaviour: [0.55, 1],
  target: [0.9],
  measure: [0.4],
  example: [0.35, 0.5],
  story: [0.3],
  reproduction: [0.5],
  trigger: [0.3],
  contrast: [0.25, 0.4],
  picture: [0.35],
  location: [0.4],
  playground: [0.4],
  reference: [0.2, 0.3],
  description: [0.6],
  title: [0.6],
};

const worthOf: Record<IssueKind, Worth> = {
  bug: fault,
  feature: wish,
  chore: { ...wish, target: [1], location: [0.6] },
  docs: { ...wish, location: [0.6], description: [0.9] },
  question: wish,
};

/** Evidence that bounds vague wording. */
export const bounds: Worth = {
  measure: [0.4],
  location: [0.4],
  checklist: [0.5],
  criteria: [0.4],
  list: [0.3],
  steps: [0.3],
  table: [0.4],
};

/** Evidence of something that can be checked, even if the whole is not clear. */
const checks: Worth = {
  measure: [0.5],
  test_plan: [0.5],
  reproduction: [0.5],
  steps: [0.4],
  expected: [0.5],
  checklist: [0.5],
  code: [0.4],
  scenario: [1],
};

const ENOUGH = 0.9;
const ENOUGH_OF_THE_ENDLESS = 1.5;
const NEARLY_A_FAULT = 0.6;
const ENOUGH_OF_A_FAULT = 0.85;

/** How well the text says what has to be true in the end. */
export function clarity({ kind, evidence }: Case): number {
  const score = weigh(evidence, worthOf[kind]) - unsteadiness(kind, evidence);
  if (weigh(evidence, bounds) >= 0.3) return score;
  // "Improve X" has to say more than "add X" before anybody knows when it is done.
  const vague = evidence.filter((each) => each.in === 'title');
  return Math.max(0, Math.round((score - weigh(vague, { unbounded: [0.4], universal: [0.2] })) * 100) / 100);
}

/** An intermittent bug needs more than a description, unless something shows its cause. */
function unsteadiness(kind: IssueKind, evidence: Evidence[]): number {
  if (
    kind !== 'bug' ||
    weigh(evidence, { reproduction: [1], stack_trace: [1], code: [0.6], location: [0.6] }) >= 0.6
  )
    return 0;
  return weigh(evidence, { unsteady: [0.4] });
}

/** Acceptance criteria and validation use the same evidence: what shows the bug or the behaviour also checks it. */
export function judgeCriteria(the: Case): Finding[] {
  const score = clarity(the);
  const shown = strongest(the.evidence, worthOf[the.kind]);
  const against = the.evidence.filter(({ kind }) => kind === 'empty_section').slice(0, 3);
  const evidence = [...against, ...shown, notFound(the)];
  if (isDecision(the)) return [];
  switch (the.kind) {
    case 'bug':
      return faultFindings(score, evidence);
    case 'question':
      return [];
    default:
      return [...openQuestions(the), ...wishFindings(the, score, evidence)].slice(0, 2);
  }
}

/** True if the issue is only about a choice, because its answer settles the rest. */
function isDecision({ choices, text }: Case): boolean {
  const first = text.body.sentences[0]?.at;
  const opens = first === undefined ? undefined : text.body.evidence('title', first, 1, 0).line;
  return choices.some(
    ({ evidence, asked }) =>
      evidence.in === 'title' || (asked && evidence.line === opens && contentAmount(text.titleText) <= 2),
  );
}

function faultFindings(score: number, evidence: Evidence[]): Finding[] {
  const uncertainty = 1 - Math.min(1, score);
  const findings: Finding[] = [];
  if (score < NEARLY_A_FAULT)
    findings.push({ type: 'acceptance_criteria', cause: 'no_outcome', uncertainty, evidence });
  if (score < ENOUGH_OF_A_FAULT)
    findings.push({ type: 'validation', cause: 'no_reproduction', uncertainty, evidence });
  return findings;
}

function wishFindings(the: Case, score: number, evidence: Evidence[]): Finding[] {
  const uncertainty = 1 - Math.min(1, score);
  const findings: Finding[] = [];
  if (the.kind === 'docs' && !the.evidence.some((each) => each.kind === 'unbounded' && each.in === 'title'))
    return [];
  const enough = isEndless(the) ? ENOUGH_OF_THE_ENDLESS : ENOUGH;
  if (score < enough && openQuestions(the).length === 0)
    findings.push({ type: 'acceptance_criteria', cause: 'no_outcome', uncertainty, evidence });
  // No criterion, no reproduction, no measure: nobody can tell how to check it either.
  if (findings.length > 0 && the.kind !== 'docs' && weigh(the.evidence, checks) < 0.3)
    findings.push({ type: 'validation', cause: 'no_check', uncertainty, evidence });
  return findings;
}

/** "Reduce the technical debt" with nothing to count or check needs more than a description. */
function isEndless({ evidence }: Case): boolean {
  const vague = evidence.some(
    ({ kind, in: where, weight }) => kind === 'unbounded' && where === 'title' && weight >= 0.6,
  );
  return vague && weigh(evidence, bounds) < 0.3 && weigh(evidence, checks) < 0.3;
}

/** What the text itself asks about the behaviour is open, however much else it says. */
function openQuestions({ evidence, choices, text }: Case): Finding[] {
  // Research consists of questions, which nobody else answers.
  if (research.test(text.title)) return [];
  const asked = evidence.filter(
    (each) =>
      each.kind === 'open_question' &&
      !choices.some((choice) => choice.evidence.line === each.line && choice.evidence.in === each.in),
  );
  const [first] = asked;
  if (!first) return [];
  return [
    {
      type: 'acceptance_criteria',
      cause: 'open_question',
      uncertainty: 0.8,
      evidence: asked.slice(0, 5),
      quote: first.text,
    },
  ];
}

const research = phrases`
  spike; research; investigat(?:e|ion|ing); explor(?:e|ation|ing); feasibility; proof of concept; poc; determine; find out
  untersuchen; recherche; étudier; investigar; исследова\p{L}*; 调研; 调查; 調査; 조사
`;

function notFound({ text, kind }: Case): Evidence {
  return text.inTitle('not_found', kind === 'bug' ? 0.5 : 0.4);
}

import type { Approach } from '../../schema/approach.ts';
import type { GateKind } from '../../schema/gate.ts';

export interface GateQuestion {
  id: string;
  text: string;
  context?: string;
  options?: { label: string; description: string }[];
}

const thoughts: GateQuestion = { id: 'thoughts', text: 'Any comments?' };

/** The questions to a person when there is something to test; `what` names the phase. */
export function testingQuestions(what: string): GateQuestion[] {
  return [
    {
      id: 'passed',
      text: `Does ${what} work as expected?`,
      options: [
        { label: 'passed', description: 'it works; the agent continues' },
        { label: 'changes', description: 'something needs to change first' },
      ],
    },
    thoughts,
    { id: 'refinements', text: 'What needs to change?' },
    { id: 'logs', text: 'Which logs or output show the problem?' },
  ];
}

export function loggingQuestions(what: string): GateQuestion[] {
  return [
    { ...thoughts, text: `Run ${what}, which now has extra logging. ${thoughts.text}` },
    { id: 'logs', text: 'What did it log? Paste it here.' },
  ];
}

/** One question for each variant; a fix cannot be kept as an alternative. */
export function variantQuestions(what: string, variants: string[], isFix: boolean): GateQuestion[] {
  const kept = isFix
    ? 'the same as discard, because only one variant of a fix can stay'
    : 'kept in its worktree, not merged';
  const options = [
    { label: 'main', description: 'merged into the feature branch; choose exactly one' },
    { label: 'alternative', description: kept },
    { label: 'discard', description: 'archived; its worktree is removed' },
  ];
  return [
    ...variants.map((id) => ({ id, text: `What should happen to variant ${id} of ${what}?`, options })),
    thoughts,
    { id: 'reason', text: 'Why? (You can also give a reason for each variant.)' },
  ];
}

/** Adds what a person needs to know to the first question. */
export function withContext(questions: GateQuestion[], lines: string[]): GateQuestion[] {
  if (lines.length === 0) return questions;
  return questions.map((question, index) =>
    index === 0 ? { ...question, context: lines.join('\n') } : question,
  );
}

/** Questions about the plan or all approaches; each approach has room for changes. */
export function approvalQuestions(kind: GateKind, what: string, approaches: Approach[]): GateQuestion[] {
  return [
    {
      id: 'approved',
      text: kind === 'plan' ? `Start work on ${what}?` : `Write a plan from the approaches for ${what}?`,
      options: [
        { label: 'approved', description: 'yes, as it is' },
        { label: 'changes', description: 'something needs to change first' },
      ],
    },
    thoughts,
    { id: 'changes', text: 'What needs to change?' },
    ...approaches.map((approach) => ({
      id: approachId(approach),
      text: `${approachId(approach)}: ${approach.description.split('\n')[0]?.slice(0, 300)}. What needs to change? ("reject" rejects it; skip it if it is fine.)`,
    })),
  ];
}

/** `frontend_1` or `frontend_1_A`. */
export function approachId({
  agent,
  number,
  variant,
}: Pick<Approach, 'agent' | 'number' | 'variant'>): string {
  return `${agent}_${number}${variant ? `_${variant}` : ''}`;
}

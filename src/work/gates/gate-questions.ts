import type { Approach } from '../../schema/approach.ts';
import type { GateKind } from '../../schema/gate.ts';

export interface GateQuestion {
  id: string;
  text: string;
  context?: string;
  options?: { label: string; description: string }[];
}

const thoughts: GateQuestion = { id: 'thoughts', text: 'Anything that you want to say?' };

/** What a person is asked when an agent has something to try: `what` names the phase. */
export function testingQuestions(what: string): GateQuestion[] {
  return [
    {
      id: 'passed',
      text: `Try ${what}. Does it work as it should?`,
      options: [
        { label: 'passed', description: 'it works; the agent goes on' },
        { label: 'changes', description: 'something has to change first' },
      ],
    },
    thoughts,
    { id: 'refinements', text: 'What has to change?' },
    { id: 'logs', text: 'Logs or output that show it?' },
  ];
}

export function loggingQuestions(what: string): GateQuestion[] {
  return [
    { ...thoughts, text: `The agent has added logging to ${what}. Run it. ${thoughts.text}` },
    { id: 'logs', text: 'What did it log? Paste it here.' },
  ];
}

/** One question for each variant; a fix cannot be kept beside another. */
export function variantQuestions(what: string, variants: string[], isFix: boolean): GateQuestion[] {
  const kept = isFix ? 'the same as discard: of a fix only one can stay' : 'kept in its worktree, not merged';
  const options = [
    { label: 'main', description: 'merged into the feature branch; exactly one is' },
    { label: 'alternative', description: kept },
    { label: 'discard', description: 'archived; its worktree is removed' },
  ];
  return [
    ...variants.map((id) => ({ id, text: `Variant ${id} of ${what}: what becomes of it?`, options })),
    thoughts,
    { id: 'reason', text: 'Why? (You can also say it with each variant.)' },
  ];
}

/** The plan, or all approaches; each approach has a place for what has to change in it. */
export function approvalQuestions(kind: GateKind, what: string, approaches: Approach[]): GateQuestion[] {
  return [
    {
      id: 'approved',
      text: kind === 'plan' ? `May work on ${what} begin?` : `May a plan be made of ${what}?`,
      options: [
        { label: 'approved', description: 'yes, as it is' },
        { label: 'changes', description: 'not before something has changed' },
      ],
    },
    thoughts,
    { id: 'changes', text: 'What has to change?' },
    ...approaches.map((approach) => ({
      id: approachId(approach),
      text: `${approachId(approach)}: ${approach.description.split('\n')[0]?.slice(0, 300)}. What has to change in it? ("reject" rejects it; skip it if it is fine.)`,
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

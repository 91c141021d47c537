import type { Errand, Purpose } from './next-move.ts';

/** Everything that an agent is sent out with for one phase. */
export interface Assignment extends Errand {
  plan: string;
  /** As in the plan: 2, 2.1, 2a. */
  phase: string;
  variant: string | null;
  title: string;
  featureBranch: string;
  /** The branch of the worktree that it is in. */
  branch: string;
  /** The steps that it follows. */
  protocol: string;
  /** The phase's file. */
  text: string;
}

const again: Record<Purpose, string | undefined> = {
  work: undefined,
  fix: 'A gate of this phase failed. Find out why, mend it in this worktree, and run the gate yourself.',
  refine: 'A person has tried your work and wants changes. Make them in this worktree.',
  merge:
    'Your branch and the feature branch changed the same lines. Merge the feature branch into yours here, keep what both sides meant, run the gates, and commit.',
};

const doBetter =
  'That was the agent before you, in this worktree: look at what it has left here, go on with it, and do not end like it.';

/** The part of an agent's prompt that is about this one phase. */
export function assignmentText(assignment: Assignment): string {
  const { plan, phase, variant, title, featureBranch, branch, protocol, text, purpose, findings, failure } =
    assignment;
  const inputs = { prompt_num: phase, variant, feature_branch: featureBranch };
  const why = again[purpose];
  return [
    `You carry out phase ${phase}${variant ? `, variant ${variant},` : ''} of the plan "${plan}": ${title}.`,
    `You are in its worktree, a checkout of its own on branch ${branch}; start-prompt was done for you. Work only here. Commit what you do.`,
    ...(why ? [section('Why you are sent out again', [why, findings ?? ''].join('\n\n'))] : []),
    ...(failure === undefined ? [] : [section('What went wrong before', `${failure}\n\n${doBetter}`)]),
    section('The phase', text),
    section('The protocol to follow', `INPUTS: ${JSON.stringify(inputs)}\n\n${protocol}`),
  ].join('\n\n');
}

const section = (title: string, text: string) => `# ${title}\n\n${text.trim()}`;

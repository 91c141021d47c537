import type { Purpose } from '../../schema/run.ts';
import type { AgentBrief } from './next-move.ts';

/** Everything that an agent is sent out with for one phase. */
export interface PhasePrompt extends AgentBrief {
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
  /** What was decided about the phase, with the issues that it covers; empty if there is nothing. */
  decided: string;
}

const again: Record<Purpose, string | undefined> = {
  work: undefined,
  fix: 'A gate of this phase failed. Find out why, fix it in this worktree, and run the gate yourself.',
  review:
    'A reviewer wants changes. Make them in this worktree; if a suggestion is wrong, say why in your result.',
  refine: 'A person has tried your work and wants changes. Make them in this worktree.',
  merge:
    'Your branch and the feature branch changed the same lines. Merge the feature branch into yours here, keep what both sides meant, run the gates, and commit.',
};

const doBetter =
  'That was the previous agent in this worktree. Look at what it left here, continue from there, and do not fail the same way.';

/** The part of an agent's prompt that is about this one phase. */
export function phasePrompt(prompt: PhasePrompt): string {
  const { plan, phase, variant, title, featureBranch, branch, protocol, text, purpose, findings, failure } =
    prompt;
  const inputs = { prompt_num: phase, variant, feature_branch: featureBranch };
  const why = again[purpose];
  return [
    `Your task is phase ${phase}${variant ? `, variant ${variant},` : ''} of the plan "${plan}": ${title}.`,
    `You are in its worktree, on branch ${branch}. start-prompt has already run. Work only here, and commit your work.`,
    ...(why ? [section('Why this phase needs more work', [why, findings ?? ''].join('\n\n'))] : []),
    ...(failure === undefined ? [] : [section('What went wrong before', `${failure}\n\n${doBetter}`)]),
    section('The phase', text),
    ...(prompt.decided ? [prompt.decided] : []),
    section('The protocol to follow', `INPUTS: ${JSON.stringify(inputs)}\n\n${protocol}`),
  ].join('\n\n');
}

const section = (title: string, text: string) => `# ${title}\n\n${text.trim()}`;

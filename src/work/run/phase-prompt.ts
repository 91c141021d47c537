import { briefSections, section } from './brief-sections.ts';
import type { AgentBrief } from './next-move.ts';

/** Everything that an agent gets for one phase. */
export interface PhasePrompt extends AgentBrief {
  plan: string;
  /** As in the plan: 2, 2.1, 2a. */
  phase: string;
  variant: string | null;
  title: string;
  featureBranch: string;
  /** The branch of its worktree. */
  branch: string;
  protocol: string;
  /** The phase's file. */
  text: string;
  /** What was decided about the phase, with the issues it covers; may be empty. */
  decided: string;
}

/** The part of an agent's prompt about this phase. */
export function phasePrompt(prompt: PhasePrompt): string {
  const { plan, phase, variant, title, featureBranch, branch, protocol, text } = prompt;
  const inputs = { prompt_num: phase, variant, feature_branch: featureBranch };
  return [
    `Your task is phase ${phase}${variant ? `, variant ${variant},` : ''} of the plan "${plan}": ${title}.`,
    `You are in its worktree, on branch ${branch}. start-prompt has already run. Work only here, and commit your work.`,
    ...briefSections('phase', prompt),
    section('The phase', text),
    ...(prompt.decided ? [prompt.decided] : []),
    section('The protocol to follow', `INPUTS: ${JSON.stringify(inputs)}\n\n${protocol}`),
  ].join('\n\n');
}

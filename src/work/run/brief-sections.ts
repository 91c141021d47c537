import type { Purpose } from '../../schema/run.ts';
import type { SentBack } from './history.ts';
import type { AgentBrief } from './next-step.ts';

const again = (what: string): Record<Purpose, string | undefined> => ({
  work: undefined,
  fix: `This ${what} did not pass, for the reason below. Fix it in this worktree, and run the gates yourself.`,
  review:
    'A reviewer wants changes. Make them in this worktree; if a suggestion is wrong, say why in your result.',
  refine: 'A person has looked at your work and wants changes. Make them in this worktree.',
  merge:
    'Your branch and the feature branch changed the same lines. Merge the feature branch into yours here, keep what both sides meant, run the gates, and commit.',
});

const doBetter =
  'That was the previous agent in this worktree. Look at what it left here, continue from there, and do not fail the same way.';

/** Why an agent is started again, and how the previous one failed. */
export function briefSections(what: 'phase' | 'task', { purpose, findings, failure }: AgentBrief): string[] {
  const why = again(what)[purpose];
  return [
    ...(why ? [section(`Why this ${what} needs more work`, [why, findings ?? ''].join('\n\n'))] : []),
    ...(failure === undefined ? [] : [section('What went wrong before', `${failure}\n\n${doBetter}`)]),
  ];
}

const MAX_QUOTED = 20_000;

/** A prompt, with what is wrong with the last answer to it. */
export function repairPrompt(prompt: string, last: SentBack | undefined): string {
  if (!last) return prompt;
  return [
    prompt.trimEnd(),
    section(
      'Your last answer could not be used',
      `${last.findings} Answer again, with the JSON object and nothing else. This was your answer:`,
    ),
    last.text.trim().slice(0, MAX_QUOTED) || '(nothing)',
  ].join('\n\n');
}

export const section = (title: string, text: string) => `# ${title}\n\n${text.trim()}`;

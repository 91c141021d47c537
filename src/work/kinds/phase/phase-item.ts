import { renderProtocol } from '../../../protocols/render.ts';
import { resolveProtocol } from '../../../protocols/resolve-protocol.ts';
import { cmd } from '../../../schema/command-line.ts';
import { decidedPart } from '../../decided/read-decided.ts';
import { protocolFor } from '../../phases/front-matter.ts';
import { type PhaseTask, phaseName } from '../../phases/phase-task.ts';
import { reviewedPhase } from '../../review/review-phase.ts';
import { briefSections, section } from '../../run/brief-sections.ts';
import type { AgentBrief } from '../../run/next-step.ts';
import type { PlanRun, WorkItem } from '../../run/work-run.ts';

export function phaseItem({ around: planContext, featureBranch }: PlanRun, at: PhaseTask): WorkItem {
  const name = phaseName(at);
  const protocol = protocolFor(at.front);
  return {
    kind: 'phase',
    taskId: at.taskId,
    name,
    title: at.phase.title,
    label: `Phase ${at.number}`,
    gates: at.phase.file?.gates ?? [],
    protocol,
    identity: { FERMATA_PHASE: name },
    resume: cmd`run --resume ${planContext.folder}`,
    reviewed: () => reviewedPhase(planContext, at),
    input: async (brief, { branch }) => {
      const file = planContext.plan.files.get(at.phase.path);
      return phasePrompt({
        plan: planContext.name,
        phase: at.number,
        variant: at.variant,
        title: at.phase.title,
        featureBranch,
        branch,
        protocol: renderProtocol(await resolveProtocol(protocol, { folder: planContext.cwd })),
        text: file && 'text' in file ? file.text : '',
        decided: await decidedPart(planContext, at),
        ...brief,
      });
    },
  };
}

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

import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { cmd } from '../../schema/command-line.ts';
import { decidedPart } from '../decided/read-decided.ts';
import { protocolFor } from '../phases/front-matter.ts';
import { type PhaseTask, phaseName } from '../phases/phase-task.ts';
import { reviewedPhase } from '../review/review-phase.ts';
import { phasePrompt } from './phase-prompt.ts';
import type { PlanRun } from './plan-run.ts';
import type { WorkItem } from './work-item.ts';

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

import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { protocolFor } from '../../work/phases/front-matter.ts';
import { phaseTasks } from '../../work/phases/phase-task.ts';
import type { PlanContext } from '../../work/phases/plan-context.ts';

/** A protocol that cannot be read is told once and at the start, rather than by each phase. */
export async function requireProtocols({ plan, name, cwd }: PlanContext): Promise<void> {
  const needed = new Set(phaseTasks(plan, name).map(({ front }) => protocolFor(front)));
  for (const protocol of needed) await resolveProtocol(protocol, { folder: cwd });
}

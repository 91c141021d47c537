import type { Phase, PhaseFile, Plan } from '../grammar/plan.ts';

/** Each phase file once, with its first phase. */
export function* phaseFiles({ phases }: Plan): Generator<{ phase: Phase; file: PhaseFile }> {
  const seen = new Set<PhaseFile>();
  for (const phase of phases) {
    if (!phase.file || seen.has(phase.file)) continue;
    seen.add(phase.file);
    yield { phase, file: phase.file };
  }
}

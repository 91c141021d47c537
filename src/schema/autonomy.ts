import * as z from 'zod';

export const AutonomyLevel = z.enum(['automated', 'notify_and_proceed', 'requires_approval']);
export type AutonomyLevel = z.infer<typeof AutonomyLevel>;

export const HilConfig = z.strictObject({
  scopeChanges: AutonomyLevel,
  architectureDecisions: AutonomyLevel,
  dependencyModifications: AutonomyLevel,
});
export type HilConfig = z.infer<typeof HilConfig>;

export const AutonomyPreset = z.enum(['confirm_all', 'major_only', 'full']);
export type AutonomyPreset = z.infer<typeof AutonomyPreset>;

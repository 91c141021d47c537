// Data without zod, so that the web page can have it without the validator.
import type { AutonomyLevel, AutonomyPreset, HilConfig } from './autonomy.ts';

export const defaultHilConfig: HilConfig = {
  scopeChanges: 'requires_approval',
  architectureDecisions: 'requires_approval',
  dependencyModifications: 'notify_and_proceed',
};

export const presets: Record<AutonomyPreset, HilConfig> = {
  confirm_all: {
    scopeChanges: 'requires_approval',
    architectureDecisions: 'requires_approval',
    dependencyModifications: 'requires_approval',
  },
  major_only: {
    scopeChanges: 'requires_approval',
    architectureDecisions: 'requires_approval',
    dependencyModifications: 'automated',
  },
  full: {
    scopeChanges: 'automated',
    architectureDecisions: 'automated',
    dependencyModifications: 'automated',
  },
};

/** What each level means, in the words that agents get. */
export const autonomySentences: Record<AutonomyLevel, string> = {
  automated: 'Full autonomy: proceed without confirmation',
  notify_and_proceed: 'Notify user but proceed',
  requires_approval: 'Confirm all changes before proceeding',
};

import { AutonomyLevel, AutonomyPreset, HilConfig } from '../schema/autonomy.ts';
import { FermataError } from '../schema/error.ts';

export const defaultHilConfig: HilConfig = {
  scopeChanges: 'requires_approval',
  architectureDecisions: 'requires_approval',
  dependencyModifications: 'notify_and_proceed',
};

export const presets: Record<AutonomyPreset, HilConfig> = {
  confirm_all: all('requires_approval'),
  major_only: { ...all('requires_approval'), dependencyModifications: 'automated' },
  full: all('automated'),
};

/** What each level means, in the words that agents are given. */
export const autonomySentences: Record<AutonomyLevel, string> = {
  automated: 'Full autonomy: proceed without confirmation',
  notify_and_proceed: 'Notify user but proceed',
  requires_approval: 'Confirm all changes before proceeding',
};

/** The name of the preset that equals this configuration; any other mixture is `custom` and kept as it is. */
export function presetOf(config: HilConfig): AutonomyPreset | 'custom' {
  const names = AutonomyPreset.options;
  return names.find((name) => keys.every((key) => presets[name][key] === config[key])) ?? 'custom';
}

/** Reads a preset's name or an object of levels; keys that are left out keep what `base` has. */
export function parseHilConfig(input: unknown, base: HilConfig = defaultHilConfig): HilConfig {
  if (typeof input === 'string') {
    const preset = AutonomyPreset.safeParse(input);
    if (preset.success) return presets[preset.data];
    throw new FermataError(
      'invalid',
      `hilConfig: there is no preset "${input}". Use ${AutonomyPreset.options.join(', ')}, or a level for each of ${keys.join(', ')}.`,
    );
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new FermataError(
      'invalid',
      `hilConfig must be a preset's name or an object with ${keys.join(', ')}.`,
    );
  }
  for (const [key, level] of Object.entries(input)) checkEntry(key, level);
  return HilConfig.parse({ ...base, ...input });
}

function checkEntry(key: string, level: unknown): void {
  if (!keys.some((known) => known === key)) {
    throw new FermataError('invalid', `hilConfig: unknown key "${key}". The keys are ${keys.join(', ')}.`);
  }
  if (!AutonomyLevel.safeParse(level).success) {
    throw new FermataError(
      'invalid',
      `hilConfig.${key}: unknown level ${JSON.stringify(level)}. The levels are ${AutonomyLevel.options.join(', ')}.`,
    );
  }
}

const keys = Object.keys(HilConfig.shape) as (keyof HilConfig)[];

function all(level: AutonomyLevel): HilConfig {
  return { scopeChanges: level, architectureDecisions: level, dependencyModifications: level };
}

import { AutonomyLevel, AutonomyPreset, HilConfig } from '../../schema/autonomy.ts';
import { defaultHilConfig, presets } from '../../schema/autonomy-words.ts';
import { Config } from '../../schema/config.ts';
import { FermataError } from '../../schema/error.ts';
import { isPersonal } from '../../schema/is-question.ts';
import type { NotificationKind } from '../../schema/notification.ts';
import type { Category, Question } from '../../schema/question.ts';
import { selectTrustedContent } from '../access/trust-register.ts';
import type { SqlRunner } from '../engine/store.ts';
import { selectProject, unknownProject } from '../projects/project-sql.ts';

/** The setting for a category. */
export const settingOf = {
  scope: 'scopeChanges',
  architecture: 'architectureDecisions',
  dependency: 'dependencyModifications',
} as const satisfies Record<Category, keyof HilConfig>;

/** How much an agent may do alone in a category. */
export const levelOf = (category: Category, config: HilConfig): AutonomyLevel => config[settingOf[category]];

/**
 * The level that lets an agent settle a question alone; undefined if a person has to. The category is only the asker's
 * claim, which nobody can check, so it never bypasses a gate or an approval.
 */
export function levelAlone(
  kind: NotificationKind,
  { category }: Pick<Question, 'category'>,
  config: HilConfig,
): Exclude<AutonomyLevel, 'requires_approval'> | undefined {
  if (category === undefined || isPersonal({ kind })) return undefined;
  const level = levelOf(category, config);
  return level === 'requires_approval' ? undefined : level;
}

/** The name of the preset that equals this configuration; any other combination is `custom` and is kept as it is. */
export function presetOf(config: HilConfig): AutonomyPreset | 'custom' {
  const names = AutonomyPreset.options;
  return names.find((name) => keys.every((key) => presets[name][key] === config[key])) ?? 'custom';
}

/** Reads a preset's name or an object of levels; missing keys keep the value in `base`. */
export function parseHilConfig(input: unknown, base: HilConfig = defaultHilConfig): HilConfig {
  return { ...base, ...parseHilLevels(input) };
}

/** The levels that a preset's name or an object sets; a preset sets all of them. */
export function parseHilLevels(input: unknown): Partial<HilConfig> {
  if (typeof input === 'string') {
    const preset = AutonomyPreset.safeParse(input);
    if (preset.success) return presets[preset.data];
    throw new FermataError(
      'invalid',
      `hilConfig: unknown preset "${input}". Use ${AutonomyPreset.options.join(', ')}, or a level for each of ${keys.join(', ')}.`,
    );
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new FermataError(
      'invalid',
      `hilConfig must be the name of a preset or an object with ${keys.join(', ')}.`,
    );
  }
  for (const [key, level] of Object.entries(input)) checkEntry(key, level);
  return HilConfig.partial().parse(input);
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

const keys = Object.keys(defaultHilConfig) as (keyof HilConfig)[];

/** The effective levels, and those of each origin: a person's own precede the trusted file's, the default comes last. */
export interface HilLevels {
  value: HilConfig;
  own: Partial<HilConfig>;
  fromFile: Partial<HilConfig>;
}

/** How much agents may do alone in a project. A repository's file counts only in the version a person trusted. */
export async function selectHilLevels(runner: SqlRunner, projectId: string): Promise<HilLevels> {
  const [row] = await selectProject(runner, projectId);
  if (!row) throw unknownProject(projectId);
  const own: Partial<HilConfig> = row.hil_config === null ? {} : JSON.parse(row.hil_config);
  const trusted = await selectTrustedContent(runner, projectId, 'config');
  const fromFile = parseHilLevels((trusted && trustedConfig(trusted.content).hilConfig) ?? {});
  return { value: { ...defaultHilConfig, ...fromFile, ...own }, own, fromFile };
}

/** A trusted configuration file. It was valid when it was trusted; a file of a newer Fermata has no effect here. */
export function trustedConfig(content: string): Config {
  return Config.safeParse(JSON.parse(content.replace(/^\uFEFF/, ''))).data ?? {};
}

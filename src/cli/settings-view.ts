import { didYouMean } from '../config/near.ts';
import type { Settings } from '../config/settings.ts';
import { withoutPassword } from '../config/store-url.ts';
import { parseHilConfig, presetOf } from '../ledger/autonomy.ts';
import { AutonomyLevel, HilConfig } from '../schema/autonomy.ts';
import { autonomySentences, defaultHilConfig } from '../schema/autonomy-words.ts';
import { FermataError } from '../schema/error.ts';
import { hilConfigFor, type Session } from './session.ts';
import { tablePrinter } from './table.ts';

/** A value that applies, and where it came from. */
export interface EffectiveSetting {
  value: unknown;
  from: string;
  /** For hilConfig: the name of the preset that it equals, else `custom`. */
  preset?: string;
  /** For a level: what agents are told. */
  sentence?: string;
}

const kinds = Object.keys(HilConfig.shape) as (keyof HilConfig)[];

export const settingNames = [
  'home',
  'store',
  'project',
  'hilConfig',
  ...kinds.map((kind) => `hilConfig.${kind}`),
];

/** Everything that applies; without a session the ledger could not be asked for what only it knows. */
export async function showSettings(
  settings: Settings,
  session?: Session,
): Promise<Record<string, EffectiveSetting>> {
  const { home, store, project } = settings;
  const known = await session?.knownProject();
  const { id, name, root } = known ?? project.value;
  return {
    home,
    store: { value: withoutPassword(store.value), from: store.from },
    project: { value: { id, name, root }, from: project.from },
    ...showHilConfig(
      settings,
      known?.hilConfig ?? null,
      session ? 'default' : 'default, unless the ledger has another',
    ),
  };
}

/** What `config set NAME VALUE` means for the ledger: a preset's name, or one level. */
export function hilConfigInput(name: string, value: string): string | object {
  const kind = kinds.find((each) => name === `hilConfig.${each}`);
  const input = kind ? { [kind]: value } : value;
  if (!kind && name !== 'hilConfig') throw notSettable(name);
  parseHilConfig(input);
  return input;
}

/** Which kinds of change a configuration decides: a preset decides all. */
export function kindsIn(input: string | object): string[] {
  return typeof input === 'string' ? kinds : Object.keys(input);
}

/** `NAME  VALUE  FROM`, one per line. */
export function settingsTable(settings: Record<string, EffectiveSetting>): string[] {
  const lines = tablePrinter<[string, EffectiveSetting]>(
    [
      { heading: 'SETTING', cell: ([name]) => name },
      { heading: 'VALUE', cell: ([, setting]) => describeValue(setting) },
      { heading: 'FROM', cell: ([, setting]) => setting.from },
    ],
    undefined,
  );
  return lines(Object.entries(settings));
}

function showHilConfig(
  settings: Settings,
  stored: HilConfig | null,
  unset: string,
): Record<string, EffectiveSetting> {
  const fromFile = hilConfigFor(settings);
  const value = parseHilConfig(fromFile ?? {}, stored ?? defaultHilConfig);
  const otherwise = stored ? 'ledger' : unset;
  const path = settings.file?.path ?? '';
  const from = (kind: keyof HilConfig) => {
    const isInFile = typeof fromFile === 'string' || fromFile?.[kind] !== undefined;
    return isInFile ? path : otherwise;
  };
  const origins = [...new Set(kinds.map(from))];
  const levels = kinds.map((kind): [string, EffectiveSetting] => [
    `hilConfig.${kind}`,
    { value: value[kind], from: from(kind), sentence: autonomySentences[value[kind]] },
  ]);
  return {
    hilConfig: { value, from: origins.join(' and '), preset: presetOf(value) },
    ...Object.fromEntries(levels),
  };
}

function describeValue({ value, preset, sentence }: EffectiveSetting): string {
  if (preset) return preset;
  if (sentence) return `${value}: ${sentence}`;
  if (typeof value === 'string') return value;
  const { name, id, root } = value as { name: string; id: string; root: string | null };
  return `${name} (${id}${root ? `, ${root}` : ''})`;
}

function notSettable(name: string): FermataError {
  const elsewhere: Record<string, string> = {
    home: 'Set FERMATA_HOME in the environment.',
    store: 'Set FERMATA_STORE in the environment, or "store" in fermata.config.json.',
    project: 'Set FERMATA_PROJECT in the environment, or "project" in fermata.config.json.',
  };
  const settable = settingNames.filter((each) => each.startsWith('hilConfig'));
  const place = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  if (place) return new FermataError('invalid', `${name} is not kept in the ledger. ${place}`);
  const levels = AutonomyLevel.options.join(', ');
  return new FermataError(
    'invalid',
    `There is no setting "${name}".${didYouMean(name, settable)} You can set ${settable.join(', ')} (levels: ${levels}).`,
  );
}

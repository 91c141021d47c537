import { didYouMean } from '../config/near.ts';
import { personalConfig, personalConfigPath } from '../config/personal-config.ts';
import type { Settings } from '../config/settings.ts';
import { endpointOf } from '../knowledge/embedder.ts';
import { type HilLevels, parseHilConfig, presetOf } from '../ledger/decisions/autonomy.ts';
import { isServer, withoutPassword } from '../schema/address.ts';
import { AutonomyLevel, HilConfig } from '../schema/autonomy.ts';
import { autonomySentences, defaultHilConfig } from '../schema/autonomy-words.ts';
import type { Config } from '../schema/config.ts';
import { FermataError } from '../schema/error.ts';
import type { CommandContext } from './command-context.ts';
import { tablePrinter } from './table.ts';

/** An effective value and its origin. */
export interface EffectiveSetting {
  value: unknown;
  from: string;
  /** For hilConfig: the name of the preset that it equals, else `custom`. */
  preset?: string;
  /** For a level: the sentence that agents get. */
  sentence?: string;
}

const kinds = Object.keys(HilConfig.shape) as (keyof HilConfig)[];

export const settingNames = [
  'home',
  'store',
  'project',
  'remote',
  'hilConfig',
  ...kinds.map((kind) => `hilConfig.${kind}`),
  'reviewer',
  'embedder',
];

/** All effective settings; without a session, those that only the ledger knows are missing. */
export async function showSettings(
  settings: Settings,
  context?: CommandContext,
): Promise<Record<string, EffectiveSetting>> {
  const { home, store, project, config, file } = context?.settings ?? settings;
  const known = await context?.knownProject();
  const { id, name, root } = known ?? project.value;
  const levels = known && (await context?.ledger.projects.hilLevels(known.id));
  return {
    home,
    store: { value: withoutPassword(store.value), from: store.from },
    project: { value: { id, name, root }, from: project.from },
    remote: showRemote(settings),
    ...showHilConfig(
      levels ?? { value: defaultHilConfig, own: {}, fromFile: {} },
      settings.file?.path ?? 'trusted fermata.config.json',
      context ? 'default' : 'default, unless the ledger has another value',
    ),
    reviewer: fromFile(config.reviewer, file?.path),
    embedder: showEmbedder(config, file?.path),
  };
}

const unset = { value: null, from: 'default' };

/** What a clone uses by default: see `joinProject`. */
function showRemote({ remote, store }: Settings): EffectiveSetting {
  const own = personalConfig(process.env).remote;
  if (remote) return remote;
  if (own !== undefined) return { value: own, from: personalConfigPath(process.env) };
  return { value: isServer(store.value) ? 'origin' : 'none', from: 'default' };
}

const fromFile = (value: object | undefined, path = 'trusted fermata.config.json'): EffectiveSetting =>
  value ? { value, from: path } : unset;

/** Shows the problem, because this is where a person looks for it. */
function endpointOrProblem(config: Config): ReturnType<typeof endpointOf> {
  try {
    return endpointOf(config, process.env);
  } catch (error) {
    if (error instanceof FermataError) return { refused: error.message };
    throw error;
  }
}

/** Never shows its key. */
function showEmbedder(config: Config, path: string | undefined): EffectiveSetting {
  const endpoint = endpointOrProblem(config);
  if (!endpoint) return unset;
  if ('refused' in endpoint) return { value: null, from: endpoint.refused };
  const { url, model } = endpoint;
  const value = { url, model };
  return process.env.FERMATA_EMBEDDER_URL ? { value, from: 'FERMATA_EMBEDDER_URL' } : fromFile(value, path);
}

/** What `config set NAME VALUE` means for the ledger: a preset's name, or one level. */
export function hilConfigInput(name: string, value: string): string | object {
  const kind = kinds.find((each) => name === `hilConfig.${each}`);
  const input = kind ? { [kind]: value } : value;
  if (!kind && name !== 'hilConfig') throw notSettable(name);
  parseHilConfig(input);
  return input;
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
  { value, own, fromFile }: HilLevels,
  file: string,
  unset: string,
): Record<string, EffectiveSetting> {
  const from = (kind: keyof HilConfig) => {
    if (own[kind]) return 'ledger';
    return fromFile[kind] ? file : unset;
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
  if (value === null) return '–';
  if (!('root' in (value as object))) return Object.values(value as object).join(' ');
  const { name, id, root } = value as { name: string; id: string; root: string | null };
  return `${name} (${id}${root ? `, ${root}` : ''})`;
}

function notSettable(name: string): FermataError {
  const elsewhere: Record<string, string> = {
    home: 'Set FERMATA_HOME in the environment.',
    store: 'Set FERMATA_STORE in the environment.',
    project: 'Set FERMATA_PROJECT in the environment, or "project" in fermata.config.json.',
    remote: `Set FERMATA_REMOTE in the environment, or "remote" in ${personalConfigPath(process.env)}.`,
    reviewer: 'Set "reviewer" in fermata.config.json.',
    embedder: 'Set FERMATA_EMBEDDER_URL in the environment, or "embedder" in fermata.config.json.',
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

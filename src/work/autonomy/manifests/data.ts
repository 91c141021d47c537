import { isRecord } from '../../../ledger/forms/record.ts';
import { readYaml } from '../../phases/read-yaml.ts';
import { collect, inGroup, type ManifestReader } from './dependencies.ts';

interface Groups {
  named: RegExp;
  /** The default group, which is not named. */
  usual: string;
}

/** `{"dependencies": {"a": "1"}}`, possibly with comments and trailing commas. */
export const jsonReader =
  (groups: Groups): ManifestReader =>
  (text) =>
    fromGroups(readJson(text), groups);

export const yamlReader =
  (groups: Groups): ManifestReader =>
  (text) => {
    const read = readYaml(text);
    return fromGroups('value' in read ? read.value : undefined, groups);
  };

function fromGroups(manifest: unknown, { named, usual }: Groups) {
  const groups = Object.entries(isRecord(manifest) ? manifest : {}).filter(([key]) => named.test(key));
  return collect(
    groups.flatMap(([group, value]) =>
      entriesOf(value).map(([name, version]) => [inGroup(name, group, usual), version] as const),
    ),
  );
}

/** Names with versions, or a list of names, or of objects that have one. */
function entriesOf(group: unknown): [string, string][] {
  if (isRecord(group)) return Object.entries(group).map(([name, version]) => [name, written(version)]);
  if (!Array.isArray(group)) return [];
  return group.map((entry: unknown) =>
    isRecord(entry) && typeof entry.name === 'string' ? [entry.name, written(entry)] : [written(entry), ''],
  );
}

const written = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

const comment = /("(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/)){0,10000}\*\//g;
const lastComma = /("(?:\\.|[^"\\\n])*")|,(?=[ \t\r\n]{0,200}[}\]])/g;

/** JSON, possibly with comments and trailing commas; undefined if it is invalid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(
      text
        .replace(/^\uFEFF/, '')
        .replace(comment, '$1')
        .replace(lastComma, '$1'),
    );
  } catch {
    return undefined; // invalid while somebody edits it; its gates will fail then
  }
}

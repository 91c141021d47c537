import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';

const lists = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'require',
  'require-dev',
];

/**
 * What a manifest uses. For JSON, its dependencies and what its scripts run, because "what comes next" in a description
 * is not a framework. For any other, the whole text.
 */
export function usedIn(name: string, text: string): string {
  if (!name.endsWith('.json')) return text;
  const manifest = recordIn(text);
  const fields = lists.flatMap((list) => Object.keys(recordOf(manifest[list])));
  const commands = Object.values(recordOf(manifest.scripts)).filter((each) => typeof each === 'string');
  return [...fields, ...commands].join('\n');
}

function recordIn(text: string): JsonRecord {
  try {
    return recordOf(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    return {}; // an unreadable manifest shows nothing
  }
}

const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

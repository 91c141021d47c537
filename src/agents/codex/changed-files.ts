import { isRecord } from '../../ledger/forms/record.ts';

const NOT_SAID = { changes: 'Codex did not say what it wants to change.' };

/** The diff of each file, keyed by its path and a number, because one file may have two changes. */
export function changedFiles(changes: unknown): Record<string, unknown> {
  if (!Array.isArray(changes)) return NOT_SAID;
  return Object.fromEntries(
    changes.map((change, index) => {
      const { path, kind, diff } = isRecord(change) ? change : {};
      const isKnown = typeof path === 'string' && typeof diff === 'string';
      if (!isKnown) return [`${index + 1}.`, change];
      const type = isRecord(kind) ? kind.type : kind;
      const to = isRecord(kind) && typeof kind.move_path === 'string' ? ` → ${kind.move_path}` : '';
      return [`${index + 1}. ${typeof type === 'string' ? type : 'change'} ${path}${to}`, diff];
    }),
  );
}

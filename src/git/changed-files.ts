/** One file that differs between two states. */
export interface ChangedFile {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed' | 'unmerged';
  /** Its previous name, if it was renamed or copied. */
  from?: string;
  /** Null for a binary file. */
  insertions: number | null;
  deletions: number | null;
  binary: boolean;
}

const changes: Record<string, ChangedFile['change']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
  U: 'unmerged',
};

/** Reads `git diff -z --raw --numstat`: first the kind of change of each file, then the number of lines. */
export function readChangedFiles(parts: string[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? '';
    if (part.startsWith(':')) {
      const letter = part.slice(part.lastIndexOf(' ') + 1)[0] ?? '';
      const two = letter === 'R' || letter === 'C';
      const path = parts[at + (two ? 2 : 1)] ?? '';
      const from = two ? { from: parts[at + 1] ?? '' } : {};
      const change = changes[letter] ?? 'modified';
      files.set(path, { path, change, ...from, insertions: 0, deletions: 0, binary: false });
      at += two ? 3 : 2;
      continue;
    }
    const [insertions = '', deletions = '', name = ''] = part.split('\t');
    const path = name === '' ? (parts[at + 2] ?? '') : name;
    const file = files.get(path);
    if (file) Object.assign(file, countsOf(insertions, deletions));
    at += name === '' ? 3 : 1;
  }
  return [...files.values()];
}

function countsOf(insertions: string, deletions: string): Partial<ChangedFile> {
  if (insertions === '-') return { insertions: null, deletions: null, binary: true };
  return { insertions: Number(insertions), deletions: Number(deletions) };
}

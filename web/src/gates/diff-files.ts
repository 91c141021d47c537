import { diffLines } from '../../../src/schema/verbatim.ts';

/** One line of a diff, with its mark. */
interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'place' | 'note';
  text: string;
}

export interface DiffFile {
  /** Empty if the text begins without naming a file. */
  path: string;
  added: number;
  removed: number;
  lines: DiffLine[];
}

/** The header lines of a file. */
const HEAD = /^(?:---|\+\+\+) |^(?:index|old mode|new mode|similarity index|dissimilarity index) /;
const NOTE =
  /^(?:new file|deleted file|rename (?:from|to) |copy (?:from|to) |Binary files |GIT binary patch|\\ |… )/;

/** Reads a unified diff. Keeps every line; text that is not a diff stays unchanged. */
export function diffFiles(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | undefined;
  let inHead = true;
  const begin = (path: string) => {
    file = { path, added: 0, removed: 0, lines: [] };
    files.push(file);
    return file;
  };
  for (const line of diffLines(text.replace(/\n$/, ''))) {
    const path = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1];
    if (path !== undefined) {
      begin(path).lines.push({ kind: 'note', text: line });
      inHead = true;
      continue;
    }
    if (line.startsWith('@@')) inHead = false;
    // In the header these are the file's names; after it, they are lines that begin with + or -.
    const name = inHead ? /^(?:---|\+\+\+) (.*)$/.exec(line)?.[1] : undefined;
    if (name !== undefined) {
      if (!file) begin('');
      if (file?.path === '' && name !== '/dev/null') file.path = name.replace(/^[ab]\//, '');
    }
    if (inHead && HEAD.test(line)) (file ?? begin('')).lines.push({ kind: 'note', text: line });
    else add(file ?? begin(''), line);
  }
  return files;
}

function add(file: DiffFile, line: string): void {
  const kind = kindOf(line);
  if (kind === 'added') file.added += 1;
  if (kind === 'removed') file.removed += 1;
  file.lines.push({ kind, text: line });
}

function kindOf(line: string): DiffLine['kind'] {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return NOTE.test(line) ? 'note' : 'same';
}

/** A file in an agent's answer. */
export interface FileBlock {
  name: string;
  content: string;
  /** The line of its header, from 1. */
  line: number;
}

export interface BlockProblem {
  code:
    | 'BLOCK_WITHOUT_END'
    | 'END_WITHOUT_BLOCK'
    | 'EMPTY_BLOCK'
    | 'DUPLICATE_BLOCK'
    | 'BAD_FILE_NAME'
    | 'TOO_MANY_FILES'
    | 'FILE_TOO_LARGE';
  message: string;
  line: number;
}

const MAX_FILES = 100;
const MAX_BYTES = 1024 * 1024;
const HEADER = '---FILE:';
const FOOTER = '---END FILE---';
const DASHES = '---';

/**
 * Reads `---FILE: name---` … `---END FILE---` blocks line by line, in linear time. Removes code fences around a block;
 * reports unusable blocks and keeps nothing of them.
 */
export function readFileBlocks(answer: string): { files: FileBlock[]; problems: BlockProblem[] } {
  const shelf = new Shelf();
  let open: { name: string; line: number; lines: string[] } | undefined;
  const close = () => {
    if (open) shelf.refuse('BLOCK_WITHOUT_END', `The file ${shown(open.name)} has no ${FOOTER}.`, open.line);
    open = undefined;
  };
  answer.split(/\r\n|\n/).forEach((text, index) => {
    const line = index + 1;
    const name = headerName(text);
    if (name !== undefined) {
      close();
      open = { name, line, lines: [] };
    } else if (text.startsWith(FOOTER) && text.trimEnd() === FOOTER) {
      if (open) shelf.add({ name: open.name, line: open.line, content: withoutFence(open.lines) });
      else shelf.refuse('END_WITHOUT_BLOCK', cutOff(shelf.files.at(-1)), line);
      open = undefined;
    } else open?.lines.push(text);
  });
  close();
  return { files: shelf.files, problems: shelf.problems };
}

/** Without a regular expression, because such a line may be long and built to match slowly. */
function headerName(text: string): string | undefined {
  if (!text.startsWith(HEADER)) return undefined;
  const line = text.trimEnd();
  if (line.length < HEADER.length + DASHES.length || !line.endsWith(DASHES)) return undefined;
  const name = line.slice(HEADER.length, -DASHES.length).trim();
  return /^`[^`]+`$/.test(name) ? name.slice(1, -1) : name;
}

function cutOff(before: FileBlock | undefined): string {
  const why = before
    ? `no file is open. The content of ${shown(before.name)} may contain that line, which would cut the file off there.`
    : `no "${HEADER} NAME${DASHES}" line comes before it.`;
  return `Unexpected ${FOOTER}: ${why}`;
}

/** Collects the usable files of an answer, and why the rest is unusable. */
class Shelf {
  readonly files: FileBlock[] = [];
  readonly problems: BlockProblem[] = [];
  readonly #names = new Set<string>();
  readonly #folders = new Set<string>();

  refuse(code: BlockProblem['code'], message: string, line: number): void {
    this.problems.push({ code, message, line });
  }

  add(block: FileBlock): void {
    const problem = this.#problemOf(block);
    if (problem) {
      this.refuse(problem.code, problem.message, block.line);
      return;
    }
    this.files.push(block);
    this.#names.add(folded(block.name));
    for (const folder of foldersOf(block.name)) this.#folders.add(folder);
  }

  #problemOf({ name, content }: FileBlock): Omit<BlockProblem, 'line'> | undefined {
    const bad = badName(name);
    if (bad) return { code: 'BAD_FILE_NAME', message: `The file name ${shown(name)} ${bad}.` };
    if (content.trim() === '') return { code: 'EMPTY_BLOCK', message: `The file ${name} is empty.` };
    if (this.#names.has(folded(name)))
      return { code: 'DUPLICATE_BLOCK', message: `The file ${name} is duplicated.` };
    if (this.#folders.has(folded(name)) || foldersOf(name).some((folder) => this.#names.has(folder)))
      return { code: 'DUPLICATE_BLOCK', message: `${name} is both a file and a folder.` };
    if (this.files.length >= MAX_FILES)
      return { code: 'TOO_MANY_FILES', message: `The answer has more than ${MAX_FILES} files.` };
    if (Buffer.byteLength(content) > MAX_BYTES)
      return { code: 'FILE_TOO_LARGE', message: `The file ${name} is larger than ${MAX_BYTES} bytes.` };
    return undefined;
  }
}

/** The name as seen by a file system that does not distinguish similar names. */
const folded = (name: string) => name.normalize('NFC').toLowerCase();

function foldersOf(name: string): string[] {
  const parts = folded(name).split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

const shown = (name: string) => (badName(name) ? JSON.stringify(name.slice(0, 200)) : name);

/** Why a name must not be written, if so: only plain paths below the plan's folder are allowed. */
export function badName(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > 200) return 'is too long';
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(name)) return 'contains an invisible character';
  if (/[\\:*?"<>|]/.test(name)) return 'contains a character that is not allowed';
  if (name.startsWith('/')) return 'is an absolute path';
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'points outside the folder';
  if (parts.some((part) => part.startsWith('.') || /[ .]$/.test(part)))
    return 'has a hidden or ambiguous part';
  if (parts.some((part) => /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\..*)?$/i.test(part)))
    return 'is the name of a device';
  return undefined;
}

/** The text between a first line that opens a fence and a last one that closes it, if there are such lines. */
function withoutFence(lines: string[]): string {
  let from = lines.findIndex((line) => line.trim() !== '');
  if (from < 0) return '';
  let to = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const fence = /^(`{3,}|~{3,})[\w-]*[ \t]*$/.exec(lines[from] ?? '')?.[1];
  if (fence !== undefined && to - from > 2 && lines[to - 1]?.trimEnd() === fence) {
    from += 1;
    to -= 1;
  }
  return `${lines.slice(from, to).join('\n').trimEnd()}\n`;
}

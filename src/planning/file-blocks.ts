/** A file in an agent's answer. */
export interface FileBlock {
  name: string;
  content: string;
  /** Where its header stands, from 1. */
  line: number;
}

export interface BlockProblem {
  code:
    | 'BLOCK_WITHOUT_END'
    | 'EMPTY_BLOCK'
    | 'DUPLICATE_BLOCK'
    | 'BAD_FILE_NAME'
    | 'TOO_MANY_FILES'
    | 'FILE_TOO_LARGE';
  message: string;
  line: number;
}

const MOST_FILES = 100;
const MOST_BYTES = 1024 * 1024;
const header = /^---FILE:[ \t]*(.*?)[ \t]*---[ \t]*$/;
const footer = /^---END FILE---[ \t]*$/;

/**
 * Reads `---FILE: name---` … `---END FILE---` blocks line by line, in linear time. Code fences around a block are
 * dropped; what cannot be used is named, and nothing is kept of it.
 */
export function readFileBlocks(answer: string): { files: FileBlock[]; problems: BlockProblem[] } {
  const files: FileBlock[] = [];
  const problems: BlockProblem[] = [];
  let open: { name: string; line: number; lines: string[] } | undefined;
  const close = () => {
    if (open)
      problems.push({
        code: 'BLOCK_WITHOUT_END',
        message: `The file ${open.name} has no ---END FILE---.`,
        line: open.line,
      });
    open = undefined;
  };
  answer.split(/\r\n|\n/).forEach((text, index) => {
    const name = header.exec(text)?.[1];
    if (name !== undefined) {
      close();
      open = { name, line: index + 1, lines: [] };
    } else if (open && footer.test(text)) {
      keep({ name: open.name, line: open.line, content: withoutFence(open.lines) }, files, problems);
      open = undefined;
    } else open?.lines.push(text);
  });
  close();
  return { files, problems };
}

function keep(block: FileBlock, files: FileBlock[], problems: BlockProblem[]): void {
  const problem = problemOf(block, files);
  if (problem) problems.push({ ...problem, line: block.line });
  else files.push(block);
}

function problemOf(block: FileBlock, files: FileBlock[]): Omit<BlockProblem, 'line'> | undefined {
  const bad = badName(block.name);
  if (bad)
    return {
      code: 'BAD_FILE_NAME',
      message: `The file name ${JSON.stringify(block.name.slice(0, 200))} ${bad}.`,
    };
  if (block.content.trim() === '')
    return { code: 'EMPTY_BLOCK', message: `The file ${block.name} is empty.` };
  if (files.some((file) => file.name.toLowerCase() === block.name.toLowerCase())) {
    return { code: 'DUPLICATE_BLOCK', message: `The file ${block.name} is there twice.` };
  }
  if (files.length >= MOST_FILES)
    return { code: 'TOO_MANY_FILES', message: `There are more than ${MOST_FILES} files.` };
  if (Buffer.byteLength(block.content) > MOST_BYTES) {
    return { code: 'FILE_TOO_LARGE', message: `The file ${block.name} has more than ${MOST_BYTES} bytes.` };
  }
  return undefined;
}

/** Why a name must not be written, if so: it may only be a plain path below the plan's folder. */
export function badName(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > 200) return 'is too long';
  if (/\p{Cc}/u.test(name)) return 'has a control character';
  if (/[\\:*?"<>|]/.test(name)) return 'has a character that is not allowed';
  if (name.startsWith('/')) return 'is an absolute path';
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'leads out of the folder';
  if (parts.some((part) => part.startsWith('.') || /[ .]$/.test(part))) return 'has a hidden or unclear part';
  if (parts.some((part) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i.test(part)))
    return 'is the name of a device';
  return undefined;
}

function withoutFence(lines: string[]): string {
  const text = lines.join('\n').replace(/^\n+/, '').trimEnd();
  const fenced = /^(`{3,}|~{3,})[\w-]*\n([\s\S]*?)\n\1$/.exec(text);
  return `${fenced?.[2] ?? text}\n`;
}

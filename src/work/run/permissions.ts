import { isInside, readsInside } from '../../agents/reads-inside.ts';
import { isRecord } from '../../ledger/forms/record.ts';

const writing = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const ourNames = new Set(['fermata', 'envoy', 'debussy']);
/** What git does within a worktree without losing or sending anything. */
const harmlessGit = new Set(['add', 'commit', 'diff', 'log', 'show', 'status']);
/** Words and quoted texts in which a shell replaces nothing. */
const plainWords = /^(?:[\w@%+=:,./ \t-]|'[^']*'|"(?:[^"$`\\!]|\\["\\])*")+$/;

export interface Allowed {
  /** The agent's own checkout. */
  folder: string;
  /** The gate commands of its phase: it may run them as they are written. */
  gates: readonly string[];
  /** Tools that the person allowed for this run. */
  tools: readonly string[];
}

/** What an agent may do in its worktree without asking: look, write there, run its gates and our commands. */
export function allows({ folder, gates, tools }: Allowed, tool: string, input: unknown): boolean {
  if (tools.includes(tool) || readsInside(folder, tool, input)) return true;
  if (!isRecord(input)) return false;
  if (writing.has(tool)) return writesInside(folder, input.file_path ?? input.notebook_path);
  return tool === 'Bash' && typeof input.command === 'string' && isKnown(input.command.trim(), gates);
}

/** A checkout's own `.git` tells git what to run: nobody writes there. */
function writesInside(folder: string, path: unknown): boolean {
  return typeof path === 'string' && isInside(folder, path) && !/(?:^|[\\/])\.git(?:[\\/]|$)/i.test(path);
}

function isKnown(command: string, gates: readonly string[]): boolean {
  if (gates.includes(command)) return true;
  if (!plainWords.test(command)) return false;
  const [program = '', verb = ''] = command.split(/[ \t]+/, 2);
  return ourNames.has(program) || (program === 'git' && harmlessGit.has(verb));
}

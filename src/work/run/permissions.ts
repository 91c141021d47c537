import { isInside, isReadWithin } from '../../agents/is-read-within.ts';
import { programNames } from '../../agents/process/program.ts';
import { shellWords } from '../../agents/shell-words.ts';
import { isRecord, own } from '../../ledger/forms/record.ts';
import { steersAtOnce } from '../autonomy/steering-files.ts';

const writing = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const ourNames = new Set<string>(programNames);
/** Our commands that start no program except the phase's gates, and decide nothing. */
const ours: Record<string, RegExp> = {
  plan: /^(?:read-prompt|read-decisions|start-prompt|record-implementation|complete-prompt|write-approach|get-finding-approach|block-[\w-]+-gate|cleanup-debug-logs|next|status|show|validate-dependencies|read-design-manifest|protocol)$/,
  git: /^(?:diff-base|merge-worktree)$/,
  protocol: /^[\w-]+$/,
  knowledge: /^search$/,
  gemini: /^review$/,
  review: /^\d[\w.-]*$/,
  ask: /^/,
  audit: /^/,
};
/** An agent must not choose the agent, the ledger, the plan, what silence means, or what is overwritten. */
const steeringOption = /^--(?:agent|agent-command|model|store|project|plan|default|fix)(?:=|$)/;

/** Git commands, with their options, that neither lose nor send anything from a worktree. */
const git: Record<string, RegExp> = {
  add: /^(?:-A|--all|-u|--update)$/,
  commit: /^(?:-m|-a|-am|-q|--quiet|--message)$/,
  diff: /^(?:--stat|--cached|--staged|--name-only|--name-status|--)$/,
  log: /^(?:--oneline|--stat|--name-only|-n|-\d+|--)$/,
  show: /^(?:--stat|--name-only|--)$/,
  status: /^(?:-s|-b|-sb|--short|--branch|--porcelain)$/,
};

export interface Allowed {
  /** The agent's own checkout. */
  folder: string;
  /** The gate commands of its phase, which it may run exactly as written. */
  gates: readonly string[];
  /** Tools that the person allowed for this run. */
  tools: readonly string[];
}

/** What an agent may do in its worktree without asking: read, write there, run its gates and some of our commands. */
export function allows({ folder, gates, tools }: Allowed, tool: string, input: unknown): boolean {
  if (tools.includes(tool) || isReadWithin(folder, tool, input)) return true;
  if (!isRecord(input)) return false;
  if (writing.has(tool)) return writesInside(folder, [input.file_path, input.notebook_path]);
  const { command, cwd = folder } = input;
  if (tool !== 'Bash' || typeof command !== 'string' || typeof cwd !== 'string') return false;
  return isInside(folder, cwd) && isKnown(command.trim(), gates);
}

function writesInside(folder: string, paths: unknown[]): boolean {
  const given = paths.filter((path) => path !== undefined);
  const isOwn = (path: unknown) =>
    typeof path === 'string' && isInside(folder, path) && !/[*?[{]/.test(path) && !steersAtOnce(path);
  return given.length > 0 && given.every(isOwn);
}

function isKnown(command: string, gates: readonly string[]): boolean {
  if (gates.includes(command)) return true;
  const [program = '', verb = '', ...rest] = shellWords(command) ?? [];
  if (ourNames.has(program)) return isOurs(verb, rest);
  const options = own(git, verb);
  return program === 'git' && options !== undefined && isHarmless(options, rest);
}

function isOurs(verb: string, words: string[]): boolean {
  return own(ours, verb)?.test(words[0] ?? '') === true && !words.some((word) => steeringOption.test(word));
}

/** Git accepts options anywhere and abbreviated, so each must be a known one. A message may be anything. */
function isHarmless(options: RegExp, words: string[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word.startsWith('-') ? !options.test(word) : word.startsWith(':')) return false;
    if (takesMessage.test(word)) at++;
  }
  return true;
}

const takesMessage = /^(?:-m|-am|--message)$/;

import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { realPath } from '../files/real-path.ts';
import { cmd } from '../schema/command-line.ts';
import { FermataError } from '../schema/error.ts';
import { pathOf } from './command.ts';

/** What an agent of a run may call: asking, reading, and recording its own work. Nothing that decides. */
const commands = new Set([
  'ask',
  'audit',
  'decisions list',
  'gemini review',
  'git diff-base',
  'git merge-worktree',
  'inbox',
  'knowledge search',
  'mcp',
  'plan block-debugging-logging-gate',
  'plan block-findings-gate',
  'plan block-plan-gate',
  'plan block-prompt-testing-gate',
  'plan block-prompt-variants-gate',
  'plan cleanup-debug-logs',
  'plan complete-prompt',
  'plan get-finding-approach',
  'plan next',
  'plan protocol',
  'plan read-design-manifest',
  'plan read-decisions',
  'plan read-prompt',
  'plan record-implementation',
  'plan show',
  'plan start-prompt',
  'plan status',
  'plan validate-dependencies',
  'plan write-approach',
  'protocol',
  'review',
  'schema',
  'tasks list',
  'tasks ready',
  'tasks show',
]);

/** The allowed options. Not included: another ledger, project, agent or program, and anything that writes a file. */
const options = new Set([
  ...['format', 'json', 'debug'],
  ...['option', 'multi', 'recommend', 'header', 'context', 'category', 'default', 'after', 'timeout', 'task'],
  ...[
    'key',
    'again',
    'prompt',
    'plan',
    'specialist',
    'worktree',
    'walkthrough',
    'iteration',
    'refinementReason',
  ],
  ...['description', 'variant', 'files', 'questions', 'limit', 'status', 'strict', 'list', 'lint', 'graph'],
  ...['markdown'],
]);

/** Commands whose arguments may name a file or a folder. */
const takesPaths = new Set([
  'audit',
  'plan next',
  'plan protocol',
  'plan show',
  'plan status',
  'plan validate-dependencies',
  'protocol',
]);

/** Refuses what only a person may do, and anything outside the agent's own folder. */
export function refuseBeyondAgent(action: Command, folder: string): void {
  const name = pathOf(action);
  if (!commands.has(name)) {
    throw new FermataError('forbidden', `Only a person may run "${name}". Ask for it: ${cmd`ask "…"`}`);
  }
  const given = Object.keys(action.opts()).filter((key) => action.getOptionValueSource(key) === 'cli');
  const refused = given.find((key) => !options.has(key));
  if (refused !== undefined) {
    const flag = action.options.find((option) => option.attributeName() === refused)?.long ?? refused;
    throw new FermataError('forbidden', `Only a person may use ${flag}. Run "${name}" without it.`);
  }
  const plan = action.opts().plan as string | undefined;
  const paths = [...(takesPaths.has(name) ? action.args : []), ...(plan === undefined ? [] : [plan])];
  const outside = paths.find((path) => !isInside(folder, path));
  if (outside !== undefined) {
    throw new FermataError('forbidden', `${outside} is outside your worktree. Use a path inside it.`);
  }
}

/** Follows links, because their target counts. */
function isInside(folder: string, path: string): boolean {
  const way = relative(realPath(folder), real(resolve(path)));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function real(path: string): string {
  try {
    return realPath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : resolve(real(above), relative(above, path));
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../schema/visible.ts';
import { isSandboxed } from '../sandbox/sandbox.ts';
import { type JsonRecord, list, record, texts } from '../stream/fields.ts';

type Env = Record<string, string | undefined>;

/** At most this many rules are listed; the file has the rest. */
const MAX = 5;

/** Where Claude Code keeps its settings and its transcripts. */
export function claudeFolder({ CLAUDE_CONFIG_DIR, HOME }: Env): string | undefined {
  return CLAUDE_CONFIG_DIR || (HOME ? join(HOME, '.claude') : undefined);
}

/** Sentences that say which of the person's own Claude Code settings let an agent act without asking. */
export function personalSettings(env: Env): string[] {
  const folder = claudeFolder(env);
  if (folder === undefined) return [];
  const file = join(folder, 'settings.json');
  const { permissions, hooks, sandbox } = record(parsed(file));
  const rules = texts(record(permissions).allow);
  const events = Object.entries(record(hooks)).filter(([, entries]) => list(entries).length > 0);
  return [
    ...(rules.length > 0 ? [`Your own settings allow without asking: ${named(rules)} (${file}).`] : []),
    ...(events.length > 0
      ? [`Your own hooks run for ${named(events.map(([event]) => event))} (${file}).`]
      : []),
    ...(runsSandboxed(record(sandbox)) && !isSandboxed(env)
      ? [`Your own settings let commands run in Claude Code's sandbox without asking (${file}).`]
      : []),
  ].map(visible);
}

/** Claude Code asks about a command in its sandbox only if configured to. */
const runsSandboxed = ({ enabled, autoAllowBashIfSandboxed }: JsonRecord) =>
  enabled === true && autoAllowBashIfSandboxed !== false;

function named(all: string[]): string {
  const more = all.length - MAX;
  return [...all.slice(0, MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** A file that Claude Code cannot read either has no effect. */
function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

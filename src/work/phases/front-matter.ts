import { isRecord } from '../../ledger/forms/record.ts';
import type { Phase, Plan } from '../../plan/grammar/plan.ts';
import { type ReadYaml, readYaml } from './read-yaml.ts';

/** Longer than any real front matter. */
const MAX_LENGTH = 64 * 1024;

export type FrontMatter = Record<string, unknown>;

/** The front matter of a phase's file. Empty if it is not valid YAML; see `frontMatterFault`. */
export function frontMatterOf(plan: Plan, phase: Pick<Phase, 'path' | 'front'>): FrontMatter {
  if (phase.front) return phase.front;
  const read = readFrontMatter(plan, phase);
  return 'value' in read && isRecord(read.value) ? read.value : {};
}

/** What is wrong with it if it is not valid YAML, because then we cannot know what its author wanted a person to do. */
export function frontMatterFault(plan: Plan, phase: Pick<Phase, 'path'>): string | undefined {
  const read = readFrontMatter(plan, phase);
  return 'problem' in read ? read.problem : undefined;
}

function readFrontMatter(plan: Plan, { path }: Pick<Phase, 'path'>): ReadYaml {
  const file = plan.files.get(path);
  const text = file && 'text' in file ? file.text.slice(0, MAX_LENGTH).replace(/^\uFEFF/, '') : '';
  const [, yaml] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  return yaml === undefined ? { value: undefined } : readYaml(yaml);
}

/** Whether a person wants to test it before it counts as done. A fix is always tested. */
export function requiresManualTesting(front: FrontMatter): boolean {
  return isYes(front.requires_manual_testing) || isDebug(front);
}

export function isDebug(front: FrontMatter): boolean {
  return isYes(front.debug) || String(front.kind ?? front.type ?? '').toLowerCase() === 'debug';
}

/** The protocol that an agent follows. */
export function protocolFor(front: FrontMatter): 'debugging' | 'implementation' {
  return isDebug(front) ? 'debugging' : 'implementation';
}

/** The letters of a phase's variants: `[A, B]`, `A, B`, or their number. */
export function variantsOf({ variants }: FrontMatter): string[] {
  if (typeof variants === 'number' && variants > 1)
    return [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].slice(0, variants);
  const words = Array.isArray(variants) ? variants.map(String) : String(variants ?? '').split(/[\s,]+/);
  const letters = words.map((word) => word.trim().toUpperCase()).filter((word) => /^[A-Z]$/.test(word));
  return [...new Set(letters)].sort();
}

function isYes(value: unknown): boolean {
  return value === true || /^(?:true|yes|y|on)$/i.test(String(value));
}

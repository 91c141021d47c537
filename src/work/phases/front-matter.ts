import { parseDocument } from 'yaml';
import type { Phase, Plan } from '../../planning/plan/plan.ts';

export type FrontMatter = Record<string, unknown>;

/** What stands between two `---` at the top of a phase's file. One that is no YAML says nothing; the audit tells of it. */
export function frontMatterOf(plan: Plan, { path }: Pick<Phase, 'path'>): FrontMatter {
  const file = plan.files.get(path);
  const text = file && 'text' in file ? file.text.replace(/^\uFEFF/, '') : '';
  const [, yaml] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (yaml === undefined) return {};
  const document = parseDocument(yaml, { logLevel: 'silent' });
  const value: unknown = document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 10 });
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FrontMatter) : {};
}

/** Whether the person wants to try it before it counts as done. A fix is always tried. */
export function requiresManualTesting(front: FrontMatter): boolean {
  return isYes(front.requires_manual_testing) || isDebug(front);
}

export function isDebug(front: FrontMatter): boolean {
  return isYes(front.debug) || String(front.kind ?? front.type ?? '').toLowerCase() === 'debug';
}

/** The letters of the ways in which a phase is to be done: `[A, B]`, `A, B`, or their number. */
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

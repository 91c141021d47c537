import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { addUsage, noUsage } from '../../agents/driver.ts';
import { FermataError } from '../../schema/error.ts';
import { Usage } from '../../schema/run.ts';
import { Issue } from '../audit/rule.ts';
import { type NewFile, writeFiles } from '../write-plan-folder.ts';
import { toldIssues } from './prompt.ts';

/** One attempt at a plan, after it was judged. */
export const Attempt = z.object({
  number: z.number(),
  passed: z.boolean(),
  auditPassed: z.boolean(),
  files: z.array(z.string()),
  issues: z.array(Issue),
  durationMs: z.number(),
  usage: Usage,
  /** Where it is saved until an attempt passes. */
  kept: z.string(),
});
export type Attempt = z.infer<typeof Attempt>;

/** The usage of all attempts together. */
export const totalUsage = (attempts: readonly Attempt[]) =>
  attempts.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);

/** An attempt as stored for the process that continues. */
export const storable = (attempt: Attempt): Attempt => ({ ...attempt, issues: toldIssues(attempt.issues) });

/** Why none of them became a plan. */
export function failureLine(attempts: readonly Attempt[]): string {
  const passed = attempts.some(({ auditPassed }) => auditPassed);
  if (attempts.length === 1)
    return passed
      ? 'The only attempt lost something from the source.'
      : 'The only attempt did not pass the audit.';
  return `None of the ${attempts.length} attempts ${passed ? 'kept everything from the source' : 'passed the audit'}.`;
}

/** Issues that mean that a part of the plan is missing. */
const missing = new Set([
  'NO_FILE_BLOCKS',
  'MASTER_NOT_FOUND',
  'MASTER_PARSE_ERROR',
  'NO_PHASES',
  'PHASE_NOT_FOUND',
  'PHASE_PARSE_ERROR',
]);

/** The attempt that needs the least work: the fewest missing parts, then the fewest errors; if equal, the later one. */
export function bestAttempt(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.reduce<Attempt | undefined>(
    (best, attempt) => (best && isBetter(best, attempt) ? best : attempt),
    undefined,
  );
}

function isBetter(a: Attempt, b: Attempt): boolean {
  const [x, y] = [badness(a), badness(b)];
  const at = x.findIndex((value, index) => value !== y[index]);
  return at >= 0 && (x[at] ?? 0) < (y[at] ?? 0);
}

function badness({ issues }: Attempt): number[] {
  const errors = issues.filter(({ severity }) => severity === 'error');
  return [errors.filter(({ code }) => missing.has(code)).length, errors.length, issues.length];
}

/** The newest failed plans that are kept; nobody looks at older ones. */
const MAX_KEPT = 20;

/** Saves an attempt as it came, and its readable part as a plan; returns the path. */
export function keepAttempt(
  folder: string,
  number: number,
  answer: string,
  files: readonly NewFile[],
): string {
  const place = join(folder, `attempt-${number}`);
  const said = `${place}.answer.txt`;
  writeFileSync(said, answer, { mode: 0o600 });
  rmSync(place, { recursive: true, force: true });
  if (files.length === 0) return said;
  mkdirSync(place);
  writeFiles(place, files);
  return place;
}

/** Removes the attempts once the plan is in place. */
export function forgetAttempts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Creates the folder for a plan's attempts, before any work is done for them. */
export function openAttempts(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new FermataError('read_only', `Cannot save attempts in ${folder}: ${(cause as Error).message}.`, {
      cause,
    });
  }
  makeRoom(folder);
}

function makeRoom(folder: string): void {
  const above = dirname(folder);
  const kept = readdirSync(above).map((name) => join(above, name));
  if (kept.length <= MAX_KEPT) return;
  const age = new Map(
    kept.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0] as const),
  );
  const oldest = kept.filter((path) => path !== folder).sort((a, b) => (age.get(a) ?? 0) - (age.get(b) ?? 0));
  for (const path of oldest.slice(0, kept.length - MAX_KEPT)) forgetAttempts(path);
}

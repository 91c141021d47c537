import { createHash } from 'node:crypto';
import { isBranchName } from '../../git/refs.ts';
import { Refusal } from '../../schema/refusal.ts';
import { planKey } from '../phases/phase-task.ts';

/** Which phase of which plan and feature a worktree's branch is for. */
export interface WorktreeName {
  feature: string;
  /** The plan's name. */
  plan: string;
  phase: string;
  variant: string | null;
}

const ending = /^(.+?)(?:--|\/)implementation-(\d+(?:\.\d+)*[A-Za-z]?)(?:-([A-Za-z]))?$/;

/**
 * Feature `login`, plan `shop` and phase 2, variant B: `login--shop--implementation-2-B` (VAR-2). Two plans never share a
 * name, even if case is ignored.
 */
export function worktreeBranch({ feature, plan, phase, variant }: WorktreeName): string {
  const branch = `${worktreeStem(feature, plan)}--implementation-${phase}${variant ? `-${variant.toUpperCase()}` : ''}`;
  if (parseWorktreeBranch(branch) && isBranchName(branch) && fits(branch)) return branch;
  throw new Refusal('invalid_name', `"${branch}" is not a valid branch name for a phase.`, {
    suggestion: 'A phase is a number such as 2, 2.1 or 2a; a variant is one letter.',
    code: 'invalid',
  });
}

/**
 * What the branches of a plan's phases begin with. The plan is left out if the feature branch is named after it. Not for a
 * feature with `--`, which would read as another feature's plan.
 */
export function worktreeStem(feature: string, plan: string): string {
  const key = planKey(plan);
  if (feature.split('/').at(-1) === key && !feature.includes('--')) return feature;
  return `${shortFeature(feature)}--${branchPart(key)}`;
}

/** `main` and task t3: `main--task-t3`. */
export const taskBranch = (feature: string, taskId: string): string =>
  `${shortFeature(feature)}--task-${branchPart(taskId)}`;

/**
 * What a branch is for, judged by its name: the phase, and what its name begins with. `login/implementation-2`, which git
 * cannot have next to a branch `login`, means the same as `login--implementation-2`.
 */
export function parseWorktreeBranch(
  branch: string,
): { stem: string; phase: string; variant: string | null } | undefined {
  const [, stem, phase, variant] = ending.exec(branch) ?? [];
  if (stem === undefined || phase === undefined) return undefined;
  return { stem, phase, variant: variant?.toUpperCase() ?? null };
}

/** The feature branches that a stem may belong to, the likelier first: `a--b` is plan `b` of `a`, or `a--b` without a plan. */
export function featuresOf(stem: string): string[] {
  const end = stem.lastIndexOf('--');
  return end > 0 ? [stem.slice(0, end), stem] : [stem];
}

/** A text as a part of a branch's name: itself if it is plain, otherwise readable and with a hash that makes it unique. */
function branchPart(text: string): string {
  const isPlain = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/.test(text) && !text.endsWith('.lock');
  if (isPlain && text.length <= PART_LENGTH) return text;
  const readable = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return marked(readable.replace(/^-/, '').slice(0, PART_LENGTH - 20), text);
}

const PART_LENGTH = 60;

/** A feature branch, shortened if the name of a phase's branch would be too long for a file. */
function shortFeature(feature: string): string {
  const base = feature.slice(feature.lastIndexOf('/') + 1);
  if (Buffer.byteLength(base) <= FEATURE_BYTES) return feature;
  return marked(feature.slice(0, feature.length - base.length) + [...base].slice(0, 25).join(''), feature);
}

const FEATURE_BYTES = 100;

/** No plain part has a `+`. */
const marked = (readable: string, whole: string) =>
  `${readable}+${createHash('sha256').update(whole).digest('hex').slice(0, 12)}`;

/** Git stores a branch as a file, and locks it with another one whose name is longer. */
const fits = (branch: string) => branch.split('/').every((part) => Buffer.byteLength(part) <= 240);

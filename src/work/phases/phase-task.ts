import { createHash } from 'node:crypto';
import { idKey } from '../../plan/grammar/phase-id.ts';
import type { Phase, Plan } from '../../plan/grammar/plan.ts';
import { limits } from '../../schema/limits.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { TaskKind } from '../../schema/task.ts';
import { type FrontMatter, frontMatterOf, variantsOf } from './front-matter.ts';

/** A phase, or one variant of it, as an agent works on it. */
export interface PhaseTask {
  phase: Phase;
  /** Its number without a variant, which all variants share. */
  number: string;
  variant: string | null;
  /** All variant letters of its number; empty if there is only one way. */
  variants: string[];
  front: FrontMatter;
  taskId: string;
}

const numberWithLetter = /^(\d+(?:\.\d+)*[a-z]?)[-_]([A-Za-z])$/;

/** A run checks the same plan for every task and every second, so its front matter is read once. */
const read = new WeakMap<Plan, { name: string; phases: readonly PhaseTask[] }>();

/** Everything that can be worked on, in plan order; each variant is a separate entry. */
export function phaseTasks(plan: Plan, name: string): readonly PhaseTask[] {
  const known = read.get(plan);
  if (known?.name === name) return known.phases;
  const phases = readPhases(plan, name);
  read.set(plan, { name, phases });
  return phases;
}

function readPhases(plan: Plan, name: string): PhaseTask[] {
  const letters = new Map<string, string[]>();
  for (const { id } of plan.phases) {
    const [, number, letter] = numberWithLetter.exec(id) ?? [];
    if (number && letter) letters.set(number, [...(letters.get(number) ?? []), letter.toUpperCase()]);
  }
  return plan.phases.flatMap((phase) => {
    const front = frontMatterOf(plan, phase);
    const [, number, letter] = numberWithLetter.exec(phase.id) ?? [];
    if (number && letter)
      return [way(name, phase, front, number, letter.toUpperCase(), letters.get(number) ?? [])];
    const variants = variantsOf(front);
    if (variants.length < 2) return [way(name, phase, front, phase.id, null, [])];
    return variants.map((variant) => way(name, phase, front, phase.id, variant, variants));
  });
}

function way(
  name: string,
  phase: Phase,
  front: FrontMatter,
  number: string,
  variant: string | null,
  variants: string[],
): PhaseTask {
  return { phase, number, variant, variants, front, taskId: taskIdOf(name, number, variant) };
}

/** `<plan>/<phase>[-<variant>]`. If an id cannot contain the plan's name, it contains the valid part and a hash. */
export function taskIdOf(name: string, number: string, variant: string | null): string {
  return `${tasksWithin(name)}${phaseName({ number, variant })}`;
}

/** The common prefix of a plan's task ids. */
export const tasksWithin = (name: string) => `${planKey(name)}/`;

/** Whether a task may be a phase of some plan, even of one that has not begun. */
export const mayBePhase = (taskId: string) => taskId.includes('/');

/** `2`, or `2-A` for a variant. */
export function phaseName({ number, variant }: Pick<PhaseTask, 'number' | 'variant'>): string {
  return `${number}${variant ? `-${variant}` : ''}`;
}

export function planKey(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100);
  return plain === name
    ? name
    : `${plain || 'plan'}-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
}

/** The task of an agent that makes or reads a plan. */
export const planTaskId = (kind: TaskKind, name: string): string =>
  `${kind}:${planKey(name)}`.slice(0, limits.id);

/** The phase named by `2`, `2 A`, `2-A` or `2_A`. */
export function findPhaseTask(plan: Plan, name: string, number: string, variant?: string): PhaseTask {
  const wanted = readNumber(number, variant);
  const all = phaseTasks(plan, name);
  const group = all.filter((each) => idKey(each.number) === idKey(wanted.number));
  const found = group.find((each) => each.variant === wanted.variant);
  if (found) return found;
  const letter = all.find(
    (each) => each.variant === null && idKey(each.number) === idKey(wanted.number + (wanted.variant ?? '')),
  );
  if (letter) return letter;
  throw notFound(wanted, group, all);
}

/** All variants of a number. */
export function groupOf(plan: Plan, name: string, number: string): PhaseTask[] {
  return phaseTasks(plan, name).filter((each) => idKey(each.number) === idKey(number));
}

function readNumber(number: string, variant?: string): { number: string; variant: string | null } {
  const [, first, letter] = numberWithLetter.exec(number) ?? [];
  const bare = first ?? number;
  if (!/^[1-9]\d*(?:\.\d+)*[A-Za-z]?$/.test(bare)) {
    throw new Refusal('invalid_number', `"${number.slice(0, 100)}" is not a phase number.`, {
      suggestion: 'Use a number from the plan, such as 2, 2.1 or 2a.',
      code: 'invalid',
    });
  }
  const wanted = variant ?? letter;
  if (wanted !== undefined && !/^[A-Za-z]$/.test(wanted)) {
    throw new Refusal('invalid_variant', `"${wanted.slice(0, 100)}" is not a variant. Use one letter.`, {
      code: 'invalid',
    });
  }
  return { number: bare, variant: wanted?.toUpperCase() ?? null };
}

function notFound(
  wanted: { number: string; variant: string | null },
  group: readonly PhaseTask[],
  all: readonly PhaseTask[],
): Refusal {
  const [first] = group;
  if (first && first.variants.length > 0) {
    const has = `Phase ${first.number} has the variants ${first.variants.join(', ')}.`;
    const message = wanted.variant ? `${has} ${wanted.variant} is not one of them.` : `${has} Specify one.`;
    return new Refusal(wanted.variant ? 'not_found' : 'missing_variant', message, { code: 'not_found' });
  }
  if (first) {
    return new Refusal('not_found', `Phase ${first.number} has no variants.`, {
      suggestion: `Leave out "${wanted.variant}".`,
      code: 'not_found',
    });
  }
  const ids = all.map(({ number, variant }) => `${number}${variant ? ` ${variant}` : ''}`).join(', ');
  return new Refusal('not_found', `The plan has no phase ${wanted.number}.`, {
    suggestion: `It has: ${ids.slice(0, 500) || 'none'}.`,
    code: 'not_found',
  });
}

/** How commands name a phase: `2 A`. */
export const phaseWords = ({ number, variant }: Pick<PhaseTask, 'number' | 'variant'>): string[] =>
  variant ? [number, variant] : [number];

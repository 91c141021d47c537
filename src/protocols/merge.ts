import type { Declaration, FilePosition, Origin, Protocol, Step, StepDeclaration } from './protocol.ts';
import { errorAt, type Problem, warningAt } from './protocol.ts';
import { compareKeys, findReferences, parentOf, renumber } from './references.ts';

/** A step with everything that was appended to it, in order; the first part is the step itself. */
type Parts = [StepDeclaration, ...StepDeclaration[]];

export interface Merged {
  protocol: Protocol;
  problems: Problem[];
  /** References to steps that do not exist: the protocol can be printed, but not followed. */
  lostReferences: Problem[];
}

/** Applies each file to those before it; the first one extends nothing. */
export function mergeProtocol(chain: readonly [Declaration, ...Declaration[]]): Merged {
  const steps = new Map<string, Parts>();
  const problems = chain.flatMap((file, index) => [
    ...replaceAndInsert(steps, file, index > 0),
    ...append(steps, file),
  ]);
  const last = chain.at(-1) ?? chain[0];
  if (steps.size === 0) problems.push(errorAt(last.at, `The protocol "${last.name}" has no steps.`));
  const ordered = [...steps].sort(([a], [b]) => compareKeys(a, b));
  const numbers = new Map(ordered.map(([key], index) => [key, index + 1]));
  return {
    protocol: {
      name: last.name,
      description: nearest(chain, ({ description }) => description) ?? '',
      inputs: nearest(chain, ({ inputs }) => inputs) ?? [],
      outputs: nearest(chain, ({ outputs }) => outputs) ?? [],
      steps: ordered.map(([key, parts]) => printedStep(key, parts, numbers)),
    },
    problems,
    lostReferences: ordered.flatMap(([, parts]) => lostReferences(parts, numbers)),
  };
}

function nearest<T>(chain: readonly Declaration[], field: (file: Declaration) => T | null): T | null {
  return chain.reduceRight<T | null>((found, file) => found ?? field(file), null);
}

function replaceAndInsert(steps: Map<string, Parts>, file: Declaration, extending: boolean): Problem[] {
  const own = file.steps.filter(({ append }) => !append);
  const added = own.filter(({ key }) => !steps.has(key));
  for (const step of own) steps.set(step.key, [step]);
  return added.flatMap((step) => {
    const parent = parentOf(step.key);
    if (parent !== undefined && !steps.has(parent)) {
      return [errorAt(step.at, `Step ${step.key} cannot be inserted: there is no step ${parent}.`)];
    }
    if (parent !== undefined || step.key.includes('.') || !extending) return [];
    return [warningAt(step.at, `There is no step ${step.key} to replace, so it is added as a new one.`)];
  });
}

function append(steps: Map<string, Parts>, file: Declaration): Problem[] {
  return file.steps.flatMap((step) => {
    if (!step.append) return [];
    const parts = steps.get(step.key);
    if (!parts) return [errorAt(step.at, `There is no step ${step.key} to append to.`)];
    steps.set(step.key, [...parts, step]);
    return [];
  });
}

function printedStep(key: string, parts: Parts, numbers: Map<string, number>): Step {
  const [step, ...appended] = parts;
  return {
    number: numbers.get(key) ?? 0,
    key,
    text: parts.map(({ text }) => renumber(text, (name) => numbers.get(name))).join('\n'),
    from: originOf(step),
    ...(appended.length > 0 ? { appended: appended.map(originOf) } : {}),
  };
}

const originOf = ({ at }: StepDeclaration): Origin => ({ file: at.file, line: at.line });

function lostReferences(parts: Parts, numbers: Map<string, number>): Problem[] {
  return parts.flatMap((part) =>
    findReferences(part.text)
      .filter(({ key }) => !numbers.has(key))
      .map(({ key, start }) => errorAt(placeIn(part, start), `There is no step ${key} to refer to.`)),
  );
}

function placeIn({ text, at, textAt }: StepDeclaration, index: number): FilePosition {
  if (!textAt) return at;
  const before = text.slice(0, index).split('\n');
  return {
    file: at.file,
    line: textAt.line + before.length - 1,
    column: textAt.column + (before.at(-1) ?? '').length,
  };
}

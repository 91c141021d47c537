import type { Phase, Plan } from '../../plan/grammar/plan.ts';
import { frontMatterOf, isDebug, requiresManualTesting, variantsOf } from '../phases/front-matter.ts';

/** The terms that decide when a phase's work counts; only a person may change them. */
export interface PhaseTerms {
  id: string;
  title: string;
  /** The phases that precede it. */
  after: string[];
  /** What else it depends on, in the author's words. */
  needs: string[];
  testedByPerson: boolean;
  isFix: boolean;
  variants: string[];
  gates: { name: string; command: string | null }[];
}

/**
 * The binding part of a plan, as a text that a person reads and approves: phases, their order, human gates, variants and
 * gate commands, each command verbatim after `$`. It excludes progress, prose and tasks.
 */
export function bindingPart(plan: Plan): string {
  const known = texts.get(plan);
  if (known !== undefined) return known;
  const text = plan.phases.map((phase) => termsText(termsOf(plan, phase))).join('');
  texts.set(plan, text);
  return text;
}

/** Cached, because a run asks for each of its phases. */
const texts = new WeakMap<Plan, string>();

export function termsOf(plan: Plan, phase: Phase): PhaseTerms {
  const front = frontMatterOf(plan, phase);
  const needs = phase.dependsOn.filter(({ id }) => id === null);
  return {
    id: phase.id,
    title: oneLine(phase.title),
    after: phase.dependsOn.flatMap(({ id }) => id ?? []),
    needs: needs.map(({ text }) => oneLine(text)),
    testedByPerson: requiresManualTesting(front),
    isFix: isDebug(front),
    variants: variantsOf(front),
    gates: (phase.file?.gates ?? []).map(({ name, command }) => ({ name: oneLine(name), command })),
  };
}

export function termsText(terms: PhaseTerms): string {
  const { id, title, after, needs, testedByPerson, isFix, variants, gates } = terms;
  return [
    `phase ${id}: ${title}`,
    `  after: ${after.join(', ')}`,
    ...needs.map((each) => `  needs: ${each}`),
    `  a person tests it: ${testedByPerson ? 'yes' : 'no'}`,
    `  fix: ${isFix ? 'yes' : 'no'}`,
    `  variants: ${variants.join(', ')}`,
    ...gates.flatMap(({ name, command }) => [`  gate command: ${name}`, ...commandLines(command)]),
    '',
  ].join('\n');
}

/** Each line of a command has its own mark, so that no command can pass for another line. */
function commandLines(command: string | null): string[] {
  if (command === null) return [];
  return command.split('\n').map((line, index) => `    ${index === 0 ? '$' : '>'} ${line}`);
}

/** Reads what `bindingPart` wrote. */
export function readBindingPart(text: string): PhaseTerms[] {
  const phases: PhaseTerms[] = [];
  for (const line of text.split('\n')) {
    const [, id, title] = /^phase (\S+): (.*)$/s.exec(line) ?? [];
    if (id !== undefined && title !== undefined) phases.push({ ...noTerms, id, title, needs: [], gates: [] });
    const phase = phases.at(-1);
    if (phase) readLine(phase, line);
  }
  return phases;
}

const noTerms = { after: [], testedByPerson: false, isFix: false, variants: [] };

function readLine(phase: PhaseTerms, line: string): void {
  const gate = phase.gates.at(-1);
  const [, mark, part = ''] = /^ {4}([$>]) (.*)$/s.exec(line) ?? [];
  if (mark !== undefined && gate) gate.command = mark === '$' ? part : `${gate.command}\n${part}`;
  const [, key, value = ''] = /^ {2}(\S.*?): (.*)$/s.exec(line) ?? [];
  switch (key) {
    case 'after':
      phase.after = listIn(value);
      return;
    case 'needs':
      phase.needs.push(value);
      return;
    case 'a person tests it':
      phase.testedByPerson = value === 'yes';
      return;
    case 'fix':
      phase.isFix = value === 'yes';
      return;
    case 'variants':
      phase.variants = listIn(value);
      return;
    case 'gate command':
      phase.gates.push({ name: value, command: null });
      return;
  }
}

const listIn = (value: string) => value.split(', ').filter(Boolean);

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

import type { Phase, Plan } from '../../plan/grammar/plan.ts';
import { counted } from '../../schema/counted.ts';
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

/** Which commands run as gates of which phases, in a sentence. The binding part has all of each command. */
export function gatesInWords(plan: Plan): string {
  const phasesOf = new Map<string, string[]>();
  const ids = plan.phases.map(({ id }) => id);
  for (const { id, file } of plan.phases)
    for (const { command } of file?.gates ?? [])
      if (command !== null) phasesOf.set(command, [...new Set([...(phasesOf.get(command) ?? []), id])]);
  const all = [...phasesOf].map(
    ([command, phases]) => `\`${cut(oneLine(command))}\` runs as gate of ${phasesInWords(phases, ids)}`,
  );
  if (all.length === 0) return 'No command runs as its gate.';
  const more = all.length - MAX_COMMANDS;
  return `${[...all.slice(0, MAX_COMMANDS), ...(more > 0 ? [`${counted(more, 'more command')}`] : [])].join('; ')}.`;
}

/** More would not be read. */
const MAX_COMMANDS = 4;
const MAX_COMMAND = 80;

const cut = (text: string) => (text.length > MAX_COMMAND ? `${text.slice(0, MAX_COMMAND)}…` : text);

/** `phases 1 to 3` if nothing is between them. */
function phasesInWords(phases: string[], all: string[]): string {
  const [first = '', last = ''] = [phases[0], phases.at(-1)];
  if (phases.length === 1) return `phase ${first}`;
  const isSpan = phases.length > 2 && all.indexOf(last) - all.indexOf(first) === phases.length - 1;
  return `phases ${isSpan ? `${first} to ${last}` : phases.join(', ')}`;
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
    `Phase ${id}: ${title}`,
    ...(after.length > 0 ? [`  starts after ${after.join(', ')}`] : []),
    ...needs.map((each) => `  needs ${each}`),
    ...(isFix ? [FIX] : []),
    ...(testedByPerson ? [TESTED] : []),
    ...(variants.length > 0 ? [`  has the variants ${variants.join(', ')}`] : []),
    ...gates.flatMap(({ name, command }) => [
      `  gate "${name}" ${command === null ? 'has no command' : 'runs'}`,
      ...commandLines(command),
    ]),
    '',
  ].join('\n');
}

const FIX = '  fixes a bug';
const TESTED = '  is tested by a person';

/** Each line of a command has its own mark, so that no command can pass for another line. */
function commandLines(command: string | null): string[] {
  if (command === null) return [];
  return command.split('\n').map((line, index) => `    ${index === 0 ? '$' : '>'} ${line}`);
}

/** Reads what `bindingPart` wrote. */
export function readBindingPart(text: string): PhaseTerms[] {
  const phases: PhaseTerms[] = [];
  for (const line of text.split('\n')) {
    const [, id, title] = /^Phase (\S+): (.*)$/s.exec(line) ?? [];
    if (id !== undefined && title !== undefined) phases.push({ ...noTerms(), id, title });
    const phase = phases.at(-1);
    if (phase) readLine(phase, line);
  }
  return phases;
}

const noTerms = (): Omit<PhaseTerms, 'id' | 'title'> => ({
  ...{ after: [], needs: [], variants: [], gates: [] },
  ...{ testedByPerson: false, isFix: false },
});

function readLine(phase: PhaseTerms, line: string): void {
  const gate = phase.gates.at(-1);
  const [, mark, part = ''] = /^ {4}([$>]) (.*)$/s.exec(line) ?? [];
  if (mark !== undefined && gate) gate.command = mark === '$' ? part : `${gate.command}\n${part}`;
  if (line === FIX) phase.isFix = true;
  if (line === TESTED) phase.testedByPerson = true;
  const [, gateName, runs] = /^ {2}gate "(.*)" (runs|has no command)$/s.exec(line) ?? [];
  if (gateName !== undefined) phase.gates.push({ name: gateName, command: runs === 'runs' ? '' : null });
  const [, what, value = ''] = /^ {2}(starts after|needs|has the variants) (.*)$/s.exec(line) ?? [];
  if (what === 'starts after') phase.after = listIn(value);
  if (what === 'needs') phase.needs.push(value);
  if (what === 'has the variants') phase.variants = listIn(value);
}

const listIn = (value: string) => value.split(', ').filter(Boolean);

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

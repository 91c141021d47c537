import type { Phase, Plan } from '../../plan/grammar/plan.ts';

/** What a plan newly asks for, and what it no longer asks for. Progress does not change the scope. */
export function scopeChanges(before: Plan, after: Plan): string[] {
  const old = new Map(before.phases.map((phase) => [phase.id, phase]));
  const now = new Map(after.phases.map((phase) => [phase.id, phase]));
  return [
    ...[...now.values()]
      .filter(({ id }) => !old.has(id))
      .map(({ id, title }) => `phase ${id} added: ${title}`),
    ...[...old.values()]
      .filter(({ id }) => !now.has(id))
      .map(({ id, title }) => `phase ${id} removed: ${title}`),
    ...[...now.values()].flatMap((phase) => changesOf(phase, old.get(phase.id))),
  ];
}

const nothing = { tasks: [], criteria: [], gates: [] };

/** A deleted file asks for nothing. */
function changesOf(phase: Phase, before: Phase | undefined): string[] {
  if (before === undefined) return [];
  const [old, now] = [before.file ?? nothing, phase.file ?? nothing];
  return [
    ...(phase.title === before.title ? [] : [`phase ${phase.id} renamed: ${phase.title}`]),
    ...differences(`phase ${phase.id}, task`, texts(old.tasks), texts(now.tasks)),
    ...differences(`phase ${phase.id}, criterion`, texts(old.criteria), texts(now.criteria)),
    ...differences(`phase ${phase.id}, gate`, old.gates.map(gateText), now.gates.map(gateText)),
  ];
}

const texts = (entries: { text: string }[]) => entries.map(({ text }) => text);
const gateText = ({ name, command }: { name: string; command: string | null }) =>
  `${name}: ${command ?? '(no command)'}`;

function differences(what: string, before: string[], after: string[]): string[] {
  return [
    ...after.filter((text) => !before.includes(text)).map((text) => `${what} added: ${text}`),
    ...before.filter((text) => !after.includes(text)).map((text) => `${what} removed: ${text}`),
  ];
}

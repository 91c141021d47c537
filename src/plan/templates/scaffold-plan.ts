import { masterTemplate, phaseTemplates, type TemplateName } from './templates.ts';

export interface Scaffold {
  /** What is to be built, in a few words. */
  feature: string;
  phases: number;
  template: TemplateName;
  /** `2026-01-31`. */
  created: string;
  /** The scripts of the project's manifest, used to fill in gates. */
  scripts?: ReadonlySet<string>;
}

/** The files of a new plan: everything known is filled in, the rest are placeholders. */
export function scaffoldPlan(scaffold: Scaffold): { name: string; content: string }[] {
  const numbers = Array.from({ length: scaffold.phases }, (_, index) => index + 1);
  return [
    { name: 'MASTER_PLAN.md', content: masterOf(scaffold, numbers) },
    ...numbers.map((number) => ({ name: `phase-${number}.md`, content: phaseOf(scaffold, number) })),
  ];
}

function masterOf(scaffold: Scaffold, numbers: number[]): string {
  const [row = ''] = /^\| \{N\}.*$/m.exec(masterTemplate) ?? [];
  const rows = numbers.map((number) => fill(row, valuesOf(scaffold, number)));
  // A function, so that a `$` in the feature's name is literal.
  return fill(
    masterTemplate.replace(row, () => rows.join('\n')),
    {
      Feature: escapedMarkdown(scaffold.feature),
      'YYYY-MM-DD': scaffold.created,
    },
  );
}

function phaseOf(scaffold: Scaffold, number: number): string {
  return fill(phaseTemplates[scaffold.template], {
    ...valuesOf(scaffold, number),
    ...gateCommands(scaffold.scripts ?? new Set()),
    'Issues that this phase covers or N/A': 'N/A',
    'Phase N-1 or N/A': number === 1 ? 'N/A' : `Phase ${number - 1}`,
    'Notes of Phase N-1 or N/A': number === 1 ? 'N/A' : `\`notes/NOTES_phase_${number - 1}.md\``,
  });
}

function valuesOf({ feature }: Scaffold, number: number): Record<string, string> {
  return {
    N: String(number),
    'Phase Title': `${escapedMarkdown(feature)}, part ${number}`,
    Feature: escapedMarkdown(feature),
  };
}

const usualScripts: [string, string[]][] = [
  ['command that runs the tests', ['test']],
  ['command that checks the types', ['types', 'typecheck', 'type-check', 'check-types', 'tsc']],
  ['command that checks the style', ['lint']],
  ['command that builds it all', ['build']],
];

/** The gate commands of a template that a manifest's scripts provide. */
export function gateCommands(scripts: ReadonlySet<string>): Record<string, string> {
  const found = usualScripts.flatMap(([placeholder, names]) => {
    const name = names.find((each) => scripts.has(each));
    return name ? [[placeholder, name === 'test' ? 'npm test' : `npm run ${name}`]] : [];
  });
  return Object.fromEntries(found);
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{([^{}\n]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/** Escapes characters of a name that mean something in Markdown or in a template. */
export function escapedMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|{}#]/g, '\\$&');
}

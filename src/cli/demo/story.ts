import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { ownPath } from '../../agents/process/program.ts';
import type { Issue } from '../../issues/issue.ts';
import { issuesFromFolder } from '../../issues/issue-folder.ts';
import { quoted } from '../../schema/command-line.ts';

/** The sample project, its issues, the plan and what the scripted agents do. */
export const demoFolder = () => ownPath('examples/demo');

export type DemoIssue = Pick<Issue, 'number' | 'title' | 'body'>;

/** The demo's issues: those of a folder, or its own. */
export function demoIssues(folder: string | undefined): DemoIssue[] {
  return issuesFromFolder(folder ?? join(demoFolder(), 'issues'));
}

/** One phase of the demo's plan, and what its agent does. */
export interface DemoPhase {
  id: string;
  title: string;
  issue: DemoIssue;
  /** Asks a person; makes a mistake that a gate finds; has two variants. */
  part: 'asks' | 'errs' | 'variants';
  /** What stands for `{{name}}` in the plan and in the agent's scenario: these, and each file of the feature. */
  texts: Record<string, string>;
}

const parts = ['asks', 'errs', 'variants'] as const;
const features = { csv: 'asks', search: 'errs', settings: 'variants' } as const;

/** One phase per issue; each shows something different. For an issue that the demo does not know, it does something small. */
export function demoPhases(issues: readonly DemoIssue[], plan: string): DemoPhase[] {
  return issues.map((issue, index) => {
    const { number, title } = issue;
    const id = String(index + 1);
    const known = Object.entries(features).find(([name]) => title.toLowerCase().includes(name));
    const feature = join(demoFolder(), 'features', known?.[0] ?? 'any');
    const texts = {
      id,
      plan,
      title,
      number: String(number),
      name: known?.[0] ?? `issue-${number}`,
      literal: JSON.stringify(title).slice(1, -1).replaceAll("'", '\\u0027'),
    };
    const files = readdirSync(feature).map((file) => [
      parse(file).name,
      fill(readFileSync(join(feature, file), 'utf8'), texts),
    ]);
    const part = known?.[1] ?? parts[index % parts.length] ?? 'asks';
    return { id, title, issue, part, texts: { ...Object.fromEntries(files), ...texts } };
  });
}

/** The plan as the scripted agent writes it. `forgetful`: without the gates of the phases, which the audit reports. */
export function planText(phases: readonly DemoPhase[], forgetful: boolean): string {
  const last = String(phases.length + 1);
  const rows = [
    ...phases.map(({ id, title }) => ({ id, title })),
    { id: last, title: 'Update the change log' },
  ];
  const others = phases.map(({ id }) => `Phase ${id}`).join(', ');
  return [
    { name: 'MASTER_PLAN.md', content: planFile('MASTER_PLAN.md', { rows: rows.map(planRow).join('\n') }) },
    ...phases.map((phase) => ({ name: `phase-${phase.id}.md`, content: phaseText(phase, forgetful) })),
    { name: `phase-${last}.md`, content: planFile('last-phase.md', { id: last, others }) },
  ]
    .map(({ name, content }) => `---FILE: ${name}---\n${content}---END FILE---`)
    .join('\n');
}

function planRow({ id, title }: { id: string; title: string }): string {
  const cell = title.replaceAll('|', '/');
  return `| ${id} | [${cell}](phase-${id}.md) | ${cell} | Low | Pending |`;
}

function phaseText({ texts, part }: DemoPhase, forgetful: boolean): string {
  const text = planFile('phase.md', texts);
  const variants = part === 'variants' ? '---\nvariants: [A, B]\n---\n\n' : '';
  return variants + (forgetful ? text.replace(/## Gates\n[\s\S]*?(?=## )/, '') : text);
}

const planFile = (name: string, texts: Record<string, string>) =>
  fill(readFileSync(join(demoFolder(), 'plan', name), 'utf8'), texts);

/** Writes the scenarios of the scripted agents: the plan (`default.json`), and a file for each phase and variant. */
export function writeScenarios(folder: string, phases: readonly DemoPhase[]): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, scenario: unknown) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(scenario, null, 1));
  // The first attempt forgets the gates; the audit reports it, and the next one has them.
  const attempts = [true, false, false].map((forgetful) => planText(phases, forgetful));
  write('default', { invocations: attempts.map((text) => ({ steps: [{ do: 'say', text }] })) });
  for (const phase of phases) {
    if (phase.part !== 'variants') write(phase.id, coder(phase, phase.id));
    else {
      write(`${phase.id}-A`, coder(phase, `${phase.id}-A`));
      write(`${phase.id}-B`, coder(phase, `${phase.id}-B`, phase.texts.other));
    }
  }
  const changes = phases.map(({ title, issue }) => `- ${title} (#${issue.number})`).join('\n');
  write(String(phases.length + 1), scenario('last', { changes }));
}

function coder({ title, part, texts }: DemoPhase, id: string, code = texts.code): unknown {
  const message = quoted(`${title} (#${id})`);
  return scenario(part, {
    ...texts,
    code: code ?? '',
    id: id.replace('-', ' '),
    message,
  });
}

/** `"{{question}}"` becomes the question itself, with its options. */
function scenario(name: string, texts: Record<string, string>): unknown {
  return JSON.parse(readFileSync(join(demoFolder(), 'agents', `${name}.json`), 'utf8'), (_, value) => {
    if (typeof value !== 'string') return value;
    return value === '{{question}}'
      ? { id: 'choice', ...JSON.parse(texts.question ?? '') }
      : fill(value, texts);
  });
}

const fill = (text: string, texts: Record<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => texts[name] ?? all);

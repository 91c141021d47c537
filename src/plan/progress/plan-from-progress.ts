import { plainText } from '../../text/markdown.ts';
import type { FileBlock } from '../file-blocks.ts';
import { MASTER } from '../grammar/parse-plan.ts';
import { idKey, readPhaseTitle } from '../grammar/phase-id.ts';
import { escapedMarkdown, gateCommands } from '../templates/scaffold-plan.ts';
import { boxesIn, DONE, type Progress, type ProgressPhase } from './read-progress.ts';

/** The line in a master whose phases contain the lines of a progress file unchanged. */
export const MADE_FROM = '**Made From:** progress file';

interface NumberedPhase extends ProgressPhase {
  id: string;
  title: string;
  status: 'Pending' | 'Completed';
}

/**
 * The files of a plan with the content of a progress file: its sections are in the master, with a table of phases instead
 * of `## Tasks`; each phase's lines are in its own file. `scripts` are those of the project's manifest.
 */
export function planFromProgress(progress: Progress, scripts: ReadonlySet<string> = new Set()): FileBlock[] {
  const phases = numbered(progress);
  const files = phases.map((phase, index) => ({
    name: fileOf(phase),
    content: phaseText(phase, phases[index - 1], scripts),
  }));
  return [{ name: MASTER, content: masterText(progress, phases) }, ...files].map((file) => ({
    ...file,
    line: 1,
  }));
}

/** Each phase has the id in its heading; if one has none, or two have the same, they are numbered. */
function numbered({ title, status, phases }: Progress): NumberedPhase[] {
  const read = phases.map(({ heading }) => readPhaseTitle(heading ?? ''));
  const isNamed =
    new Set(read.map((each) => idKey(each?.id ?? ''))).size === phases.length && !read.includes(undefined);
  return phases.map((phase, index) => {
    const boxes = boxesIn(phase.lines);
    const isDone = status.includes(DONE) || (boxes.length > 0 && boxes.every(Boolean));
    return {
      ...phase,
      id: isNamed ? (read[index]?.id ?? '') : String(index + 1),
      title: read[index]?.title ?? phase.heading ?? title,
      status: isDone ? 'Completed' : 'Pending',
    };
  });
}

const fileOf = ({ id }: NumberedPhase) => `phase-${id}.md`;

function masterText({ title, head, intro, tail }: Progress, phases: NumberedPhase[]): string {
  const rows = phases.map((phase) => {
    const linked = `[${escapedMarkdown(plainText(phase.title))}](${fileOf(phase)})`;
    return `| ${phase.id} | ${linked} | ${boxesIn(phase.lines).length} task(s) | N/A | ${phase.status} |`;
  });
  const table = ['| Phase | Title | Focus | Risk | Status |', '|---|---|---|---|---|', ...rows];
  const parts = [marked(head), ['## Phases'], marked(intro), table, marked(tail)];
  return joined([[`# ${title} - Master Plan`], [MADE_FROM], ...parts]);
}

const OF_FILE = '## From the progress file: ';

/** A section of the file with this heading would be read as our table of phases. */
const marked = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/^##[ \t]+(?=phases?\b)/i, OF_FILE));

export const unmarked = (lines: readonly string[]) => lines.map((line) => line.replace(OF_FILE, '## '));

function phaseText(
  phase: NumberedPhase,
  before: NumberedPhase | undefined,
  scripts: ReadonlySet<string>,
): string {
  const { id, title, status, heading, lines } = phase;
  const test = gateCommands(scripts)['command that runs the tests'] ?? '{command that runs the tests}';
  const notes = before ? `\`notes/NOTES_phase_${before.id}.md\`` : 'N/A';
  return joined([
    [`# Phase ${id}: ${title}`],
    [`**Status:** ${status}`, `**Depends On:** ${before ? `Phase ${before.id}` : 'N/A'}`],
    ['## Process Wrapper'],
    [
      `- [ ] Read previous notes: ${notes}`,
      '- [ ] **[IMPLEMENTATION - see Tasks below]**',
      '- [ ] Run all gates, and correct what fails until they pass',
      `- [ ] Write notes to: \`notes/NOTES_phase_${id}.md\``,
    ],
    ['## Gates'],
    [`- tests: \`${test}\``],
    ['## Tasks'],
    heading === undefined ? [] : [`### ${heading}`],
    lines,
  ]);
}

/** Parts with a blank line between them. */
export function joined(parts: readonly (readonly string[])[]): string {
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

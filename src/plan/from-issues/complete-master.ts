import type { Issue } from '../../issues/issue.ts';
import { visible } from '../../schema/visible.ts';
import type { FileBlock } from '../file-blocks.ts';
import { MASTER } from '../grammar/parse-plan.ts';
import { answerText, assumed, type ResolvedQuestion, withAnswer } from './resolved-question.ts';

export interface Origin {
  issues: Issue[];
  repo: string | undefined;
  resolved: ResolvedQuestion[];
}

/** Adds to an agent's master file what we know for sure: where it comes from, what was decided, what is assumed. */
export function completeMaster(files: FileBlock[], origin: Origin): FileBlock[] {
  return files.map((file) =>
    file.name.toUpperCase() === MASTER.toUpperCase()
      ? { ...file, content: completed(file.content, origin) }
      : file,
  );
}

function completed(content: string, { issues, repo, resolved }: Origin): string {
  const numbers = issues.map(({ number }) => `#${number}`).join(', ');
  const described = withField(withField(content, 'GitHub Repo', repo ?? 'N/A'), 'GitHub Issues', numbers);
  const sections = [
    ['Issues', issues.map(({ number, title }) => `- #${number} ${escaped(title)}`)],
    ['Decisions', withAnswer(resolved).map(decisionLine)],
    ['Assumptions', assumed(resolved).map(assumptionLine)],
  ] as const;
  return sections.reduce((text, [heading, lines]) => withLines(text, heading, lines), described);
}

/** Sets a field above the first section, or adds it below the title. */
function withField(text: string, name: string, value: string): string {
  const start = text.search(/^## /m);
  const head = start < 0 ? text : text.slice(0, start);
  const rest = start < 0 ? '' : text.slice(start);
  const line = `**${name}:** ${value}`;
  const there = new RegExp(`^(?:[-*] )?\\*\\*${name}s?:?\\*\\*.*$`, 'im');
  if (there.test(head)) return head.replace(there, () => line) + rest;
  const title = /^# .*/m.exec(head);
  const end = (title?.index ?? 0) + (title?.[0].length ?? 0);
  const below = head.slice(end).replace(/^\s+/, '');
  return `${head.slice(0, end)}\n\n${line}\n${below.startsWith('**') ? '' : '\n'}${below}${rest}`;
}

/** Adds lines at the top of a section; adds a missing section at the end. */
function withLines(text: string, heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const block = lines.join('\n');
  const there = new RegExp(`^## ${heading}[ \\t]*$`, 'im').exec(text);
  if (!there) return `${text.trimEnd()}\n\n## ${heading}\n\n${block}\n`;
  const end = there.index + there[0].length;
  const below = text.slice(end).replace(/^\s+/, '');
  // Merges our list with the agent's own.
  return `${text.slice(0, end)}\n\n${block}\n${below.startsWith('- ') ? '' : '\n'}${below}`;
}

function decisionLine({ question, resolution }: ReturnType<typeof withAnswer>[number]): string {
  const { by, at, answer } = resolution;
  const mark = resolution.kind === 'decided' ? 'decided before by' : 'answered by';
  const id = resolution.kind === 'decided' ? resolution.decision : resolution.notification;
  const note = resolution.kind === 'answered' && resolution.note ? ` ${escaped(resolution.note)}` : '';
  return `- ${escaped(question.question)} **${escaped(answerText(answer))}**${note} (${mark} ${escaped(by)} on ${at.slice(0, 10)}; ${id})`;
}

function assumptionLine({ question, resolution }: ReturnType<typeof assumed>[number]): string {
  return `- ${escaped(question.question)} ${escaped(question.assumed)} (${escaped(resolution.reason)})`;
}

/** On one line, with Markdown and template characters escaped. */
export function escaped(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|{}]/g, '\\$&');
}

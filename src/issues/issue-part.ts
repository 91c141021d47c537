import { oneLine } from '../text/lines.ts';
import { type Issue, issueText } from './issue.ts';

/** An issue in a prompt, marked as data. `room`: how much of its text, in characters. */
export function issuePart(issue: Issue, room: number): string {
  const { number, title, labels } = issue;
  const text = issueText(issue);
  const rest = text.length - room;
  const shown = rest > 0 ? `${text.slice(0, room)}\n… (${rest} more characters cut off)` : text;
  const marks = labels.length > 0 ? ` labels="${asAttribute(labels.join(', '))}"` : '';
  return `<issue number="${number}" title="${asAttribute(title)}"${marks}>\n${withoutTags(shown) || '(no text)'}\n</issue>`;
}

/** A list in such a prompt. */
export const listPart = (lines: readonly string[]) =>
  lines.length === 0 ? 'Nothing.' : lines.map((line) => `- ${withoutTags(oneLine(line))}`).join('\n');

/** Prevents a text from ending its own issue or starting another. */
const withoutTags = (text: string) => text.replace(/<(?=\/?issue\b)/gi, '&lt;');
const asAttribute = (text: string) =>
  oneLine(text).slice(0, 500).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

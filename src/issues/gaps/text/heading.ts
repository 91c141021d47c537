import { topicOf } from '../words/headings.ts';
import { unspaced } from '../words/phrases.ts';

// These expect a line without trailing blanks. No two neighbouring parts can match the same blanks, so no line is slow
// to match.
const heading = /^ {0,3}(#{1,6})\s+(\S.{0,299})$/;
const boldLine = /^ {0,3}(?:\d{1,2}[.)]\s*)?(?:\*\*|__)([^*_]{2,200})(?:\*\*|__)\s*[:：]?$/;
const bracketLine = /^ {0,3}[【[]([^\]】]{2,60})[\]】]\s*[:：]?$/;
const boldLabel = /^ {0,3}(?:[-*+]\s+)?(?:\*\*|__)([^*_]{2,100})(?:\*\*|__)\s*[:：]?\s+(?=\S)/;
const plainLabel =
  /^ {0,3}(?:[-*+]\s+|\d{1,2}[.)]\s+)?([^\s:：*_`#|>][^:：*_`|]{1,60}?)\s*(?:[:：](?:\s+|$)|：)/;
const questionLine = /^ {0,3}([^\s*_`#|>-][^?？]{5,120})[?？]$/;

/** A heading on its own line, in any common style. */
export function headingOf(line: string): { text: string; level: number } | undefined {
  const trimmed = line.trimEnd();
  const atx = heading.exec(trimmed);
  if (atx?.[1] && atx[2])
    return { text: atx[2].replace(/\s#+$/, '').replace(/[*_`]/g, ''), level: atx[1].length };
  const alone = boldLine.exec(trimmed) ?? bracketLine.exec(trimmed);
  if (alone?.[1]) return { text: alone[1], level: 7 };
  const question = questionLine.exec(trimmed)?.[1];
  const topic = question === undefined ? undefined : topicOf(question);
  if (question !== undefined && topic !== undefined && askedByForm.test(question))
    return { text: question, level: 7 };
  return undefined;
}

/** Questions of old forms, as plain lines: "What steps will reproduce the problem?" */
const askedByForm = /\b(?:you|steps will|expected|the (?:problem|output|version))\b|your /i;

/** `Expected: …`, `**Steps**: …`, `- Actual: …`: a heading followed by its text. */
export function labelOf(line: string): { text: string; length: number } | undefined {
  const trimmed = line.trimEnd();
  const bold = boldLabel.exec(trimmed);
  if (bold?.[1]) return { text: bold[1].replace(/\s*[:：]?\s*$/, ''), length: bold[0].length };
  const plain = plainLabel.exec(trimmed);
  if (!plain?.[1] || isSentence(plain[1]) || topicOf(plain[1]) === undefined) return undefined;
  return { text: plain[1], length: plain[0].length };
}

/** More than a few words; in unspaced scripts, more than a few letters. */
function isSentence(text: string): boolean {
  return text.split(/\s+/).length > 5 || (unspaced.test(text) && text.length > 12);
}

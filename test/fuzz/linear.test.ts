import { expect, it } from 'vitest';
import { isInside } from '../../src/agents/is-read-within.ts';
import { proseQuestions } from '../../src/agents/questions/prose-question.ts';
import { findHeadings } from '../../src/knowledge/split-passages.ts';
import { questionKey } from '../../src/ledger/notifications/questions.ts';
import { findLost } from '../../src/plan/convert/fidelity/lost.ts';
import { assessVagueness } from '../../src/plan/draft.ts';
import { parseProtocol } from '../../src/protocols/parse-protocol.ts';
import { parseMarkdown } from '../../web/src/text/markdown.ts';
import { leastTime } from '../support/least-time.ts';

const LINE_BREAK = '\u2028'; // "." does not match it, and our lines do not end at it

const readers: [what: string, read: (text: string) => unknown, piece: string, end: string][] = [
  ["an agent's last words", proseQuestions, '* ', 'x'],
  ["an agent's last question", proseQuestions, 'a ', '?'],
  ["addresses in an agent's words", proseQuestions, 'a://', ' b?'],
  ["an agent's path", (text) => isInside('/tmp', text), '*', '\n'],
  ['a heading', (text) => findHeadings([`# ${text}`], 'markdown'), ' ', LINE_BREAK],
  ['the text of a question', (text) => questionKey({ text }), '?', 'x'],
  ['an idea', assessVagueness, 'a-', '!'],
  ['a step of a protocol', (text) => parseProtocol(`steps:\n  1: "${text}"\n`, 'x.yaml', 'x'), '\\n', 'x'],
  ['a list on the page', parseMarkdown, '- ', LINE_BREAK],
  ['a heading on the page', (text) => parseMarkdown(`# ${text}`), ' ', LINE_BREAK],
];

it.each(readers)('BIND-15 the time to read %s grows no faster than its length', (_, read, piece, end) => {
  const text = (length: number) => piece.repeat(length).slice(0, length) + end;
  const [short, long] = [text(16 * 1024), text(64 * 1024)];
  const quick = leastTime(() => read(short), 5);
  expect(leastTime(() => read(long), 5)).toBeLessThan(8 * quick + 10);
});

it.each([
  ['a name', `Use A${'a'.repeat(60)}_ for it.`],
  ['a risk', `risk${':'.repeat(990)}`],
])('BIND-15 %s in a source that looks for trouble is read at once', (_, line) => {
  expect(leastTime(() => findLost(`# Plan\n\n${line}\n`, '# Plan\n'), 3)).toBeLessThan(200);
});

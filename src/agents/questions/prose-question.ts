import { limits } from '../../schema/limits.ts';

const PROSE = 'prose:';

/** The key of a question in plain text: the message that contains it. */
export const proseId = (messageId: string) => `${PROSE}${messageId}`;
export const isProseId = (id: string) => id.startsWith(PROSE);

/** A question in plain text, in the usual format of questions. */
export interface ProseQuestion {
  text: string;
  /** What was said before it. */
  context?: string;
}

const MAX_CONTEXT = 20_000;
const MAX_QUESTIONS = 10;

/**
 * The questions with which a text hands the turn to the person; none if it only contains or quotes one. When in doubt it
 * finds too few: a missed question is still in the text, but a false one holds up a finished run.
 */
export function proseQuestions(message: string): ProseQuestion[] {
  const paragraphs = prose(message);
  const last = paragraphs.at(-1) ?? '';
  const asking = isQuestion(last) ? last : isInvitation(last) ? (paragraphs.at(-2) ?? '') : '';
  if (!isQuestion(asking)) return [];
  const context = message.trim().slice(-MAX_CONTEXT);
  const listed = listedQuestions(asking);
  const texts = listed.length > 0 ? listed : [asking];
  return texts.map((text) => {
    const question = text.slice(-limits.questionText);
    return context === question ? { text: question } : { text: question, context };
  });
}

/** The paragraphs that a person reads as sentences. Drops one that ends in code, a quote or a table. */
function prose(message: string): string[] {
  const lines = message.slice(-4 * limits.questionText).split(/\r?\n/);
  const paragraphs: string[] = [''];
  let fence = '';
  for (const line of lines) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? '';
    if (mark !== '' && (fence === '' || fence === mark)) {
      if (fence === '') paragraphs.push(CODE, '');
      fence = fence === '' ? mark : '';
    } else if (fence === '') {
      if (line.trim() === '') paragraphs.push('');
      else paragraphs.push(`${paragraphs.pop() ?? ''}\n${line}`.trim());
    }
  }
  const trimmed = fence === '' ? paragraphs : [...paragraphs, CODE];
  const [first = '', ...rest] = trimmed.filter((paragraph) => paragraph !== '');
  return rest.reduce(joinLists, first === '' ? [] : [first]);
}

/** Joins list items that are separated by blank lines into one list. */
function joinLists(paragraphs: string[], next: string): string[] {
  const before = paragraphs.at(-1) ?? '';
  const isOneList = before.split('\n').some(isItem) && isItem(next);
  return isOneList ? [...paragraphs.slice(0, -1), `${before}\n${next}`] : [...paragraphs, next];
}

const CODE = '```';
const isItem = (line: string) => /^\s*(?:[-*•]|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+\S/.test(line);

function isQuestion(paragraph: string): boolean {
  const lines = paragraph.split('\n');
  const last = lines.at(-1) ?? '';
  if (/^\s*(?:[>#|]|\/\/)/.test(last)) return false;
  // Text that is marked as code or quoted is not the agent's own.
  const bare = last.replace(/`[^`]*`/g, '…').replace(/(?<![*_)\s])[*_)\s]+$/, '');
  if (!bare.endsWith('?')) return false;
  const sentence = /(?<![^.!?…:])[^.!?…:]*[^.!?…:\s][?]+$/.exec(bare)?.[0] ?? bare;
  if (
    /\w:\/\//.test(/(?<!\S)\S*$/.exec(bare)?.[0] ?? '') ||
    sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length < 2
  ) {
    return false;
  }
  return !/\b(?:anything else|(?:does|did|do) (?:this|that|these|it) (?:help|make sense|answer)|how (?:can|may) i help|what(?:'s| is) next)\b/i.test(
    sentence,
  );
}

/** A sentence that asks for answers to the questions just before it. */
function isInvitation(paragraph: string): boolean {
  if (paragraph.length > 300 || paragraph.includes('\n')) return false;
  return /\b(?:let me know|please (?:answer|tell|confirm|choose|pick|reply|clarify|advise|decide|specify)|once you(?:'ve| have)? (?:answer|confirm|decide|let me)|(?:i'?ll|i will|i can) (?:proceed|continue|start|go on) (?:once|when|after|as soon as)|(?:waiting|wait) for your)/i.test(
    paragraph,
  );
}

/** Each item separately if every item of the list is a question. */
function listedQuestions(paragraph: string): string[] {
  const items: string[] = [];
  for (const line of paragraph.split('\n')) {
    if (isItem(line)) items.push(line.replace(/^\s*(?:[-*•]|\(?(?:\d{1,2}|[a-zA-Z])[.)])\s+/, ''));
    else if (items.length > 0) items.push(`${items.pop() ?? ''}\n${line.trim()}`);
  }
  const questions = items.map((item) => item.trim());
  const areAll = questions.length > 1 && questions.every((item) => /\?[*_)\s]*$/.test(item));
  return areAll ? questions.slice(0, MAX_QUESTIONS) : [];
}

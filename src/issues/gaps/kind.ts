import type { Evidence, IssueKind } from './gap.ts';
import type { IssueText } from './issue-text.ts';
import type { Sentence } from './text/sentences.ts';
import { unbounded, wish } from './words/bounds.ts';
import { failure } from './words/fault.ts';
import { choreWords, deed, docsWords, marks, order, questionWords, saysQuestion } from './words/kinds.ts';
import { whichTechnology } from './words/open.ts';

/**
 * Determines the kind from labels and tags first, then from structure, then from wording; the title weighs more than the
 * text.
 */
export function kindOf(text: IssueText, evidence: Evidence[]): IssueKind {
  const score: Record<IssueKind, number> = { bug: 0, feature: 0, chore: 0, docs: 0, question: 0 };
  for (const label of text.issue.labels) mark(label, 3, score);
  if (text.tag !== '') mark(text.tag, 3.5, score);
  addStructure(text, evidence, score);
  const isWanted = addTitle(text.titleText, score);
  addFirstSentences(text.body.sentences, isWanted, score);
  const best = Math.max(...Object.values(score));
  return likelier.find((kind) => score[kind] === best && best > 0) ?? 'feature';
}

/** If two kinds are equally likely, the earlier one in this list wins. */
const likelier: IssueKind[] = ['docs', 'bug', 'feature', 'chore', 'question'];

function mark(words: string, weight: number, score: Record<IssueKind, number>): void {
  const found = marks.find(([, pattern]) => pattern.test(words));
  if (found) score[found[0]] += weight;
}

function addStructure({ body }: IssueText, evidence: Evidence[], score: Record<IssueKind, number>): void {
  const has = (kind: Evidence['kind']) =>
    evidence.some((each) => each.kind === kind && each.in === 'body' && each.weight >= 0.5);
  const topics = new Set(body.document.sections.map(({ topic }) => topic));
  if (topics.has('reproduction')) score.bug += 2;
  if (topics.has('expected') && topics.has('actual')) score.bug += 2;
  if (has('stack_trace')) score.bug += 2.5;
  if (has('error')) score.bug += 1;
  if (has('story') || has('scenario')) score.feature += 2;
  if (topics.has('solution') && !topics.has('reproduction')) score.feature += 2;
  if (topics.has('alternatives')) score.feature += 1;
  if (has('criteria') && !topics.has('reproduction')) score.feature += 1;
}

/** "Error handling" is a topic; "improve the error messages" asks for better wording: neither reports a failure. */
const subjects = /(?<!\p{L})errors?[ -](?:handling|reporting|tracking|boundar(?:y|ies))/giu;
const words = /(?<!\p{L})errors?[ -](?:messages?|pages?|codes?|states?|texts?)/giu;

function fails(text: string, isWanted: boolean): boolean {
  const rest = text.replace(subjects, '');
  return failure.test(isWanted ? rest.replace(words, '') : rest);
}

/** Returns whether the title wants something. */
function addTitle(title: string, score: Record<IssueKind, number>): boolean {
  const begins = (match: RegExpExecArray | null) => match !== null && match.index <= 2;
  const wished = wish.exec(title);
  const docs = docsWords.exec(title);
  const vague = unbounded.exec(title);
  // "Could you add …?" is a request worded as a question.
  const isWanted = wished !== null || vague !== null;
  if (begins(choreWords.exec(title))) score.chore += 2.5;
  if (whichTechnology.test(title)) score.feature += 1.5;
  if (wished) score.feature += begins(wished) ? 2 : 1;
  else if (begins(vague)) score.feature += 1.5;
  if (begins(deed.exec(title))) score.feature += 2;
  else if (fails(title, isWanted)) score.bug += 2;
  else if (begins(order.exec(title))) score.feature += 1.5;
  if (docs) score.docs += begins(docs) ? 3.5 : 3;
  if (!isWanted && begins(questionWords.exec(title))) score.question += 1.5;
  if (!isWanted && asks(title)) score.question += 1;
  return isWanted;
}

const FIRST = 6;
const wanting = new Set(['criteria', 'validation', 'solution', 'expected']);

function addFirstSentences(sentences: Sentence[], isWanted: boolean, score: Record<IssueKind, number>): void {
  const first = sentences.slice(0, FIRST);
  const opening = first.map(({ text }) => text).join(' \n ');
  const wished = wish.test(opening);
  // "Should it return an error?" reports no error; neither does "a broken file is refused" under what is wanted.
  const reports = ({ text, piece }: Sentence) =>
    fails(text, wish.test(text) || unbounded.test(text)) &&
    !asks(text) &&
    !wanting.has(piece.topic ?? '') &&
    !piece.box;
  if (first.some(reports)) score.bug += 1;
  if (wished) score.feature += 1;
  if (saysQuestion.test(opening)) score.question += 2;
  const asked = sentences.filter(({ text }) => asks(text)).length;
  if (asked > sentences.length / 2 && !isWanted && !wished) score.question += 1.5;
  if (asks(sentences.at(-1)?.text ?? '') && questionWords.test(opening)) score.question += 0.5;
}

const asks = (text: string) => /[?？]\s*$/.test(text);

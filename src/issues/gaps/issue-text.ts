import { positions } from '../../text/lines.ts';
import type { Issue } from '../issue.ts';
import type { Evidence, EvidenceKind } from './gap.ts';
import { readDocument } from './text/document.ts';
import { maskInline } from './text/mask.ts';
import type { Document, Piece } from './text/parts.ts';
import { type Sentence, sentencesOf } from './text/sentences.ts';

const SHOWN = 160;

/** One parsed text of an issue: its body, or a comment. */
export interface ReadText {
  in: 'body' | 'comment';
  document: Document;
  sentences: Sentence[];
  evidence(kind: EvidenceKind, at: number, length: number, weight: number): Evidence;
}

/** An issue, ready to be judged. */
export interface IssueText {
  issue: Issue;
  title: string;
  /** `[BUG]`, `feat:` in front of the title. */
  tag: string;
  /** The title without tags like `[BUG]` and `feat:`, masked. */
  titleText: string;
  body: ReadText;
  comments: ReadText[];
  inTitle(kind: EvidenceKind, weight: number, text?: string): Evidence;
}

const MAX_COMMENTS = 50;
const MAX_TITLE_LENGTH = 1000;

export function readIssueText(issue: Issue): IssueText {
  const title = issue.title.replace(/\s+/g, ' ').trim();
  const tag = tags.exec(title.slice(0, MAX_TITLE_LENGTH))?.[0] ?? '';
  return {
    issue,
    title,
    tag,
    titleText: maskInline(title.slice(tag.length, MAX_TITLE_LENGTH), 0).text.trim(),
    body: readText('body', issue.body ?? ''),
    comments: issue.comments.slice(0, MAX_COMMENTS).map(({ body }) => readText('comment', body)),
    inTitle: (kind, weight, text = title) => ({
      kind,
      in: 'title',
      line: 1,
      column: Math.max(0, title.indexOf(text)) + 1,
      text: shorten(text),
      weight,
    }),
  };
}

/** `[BUG]`, `(core)`, `feat(ui)!:`, `Feature request:` in front of a title. */
const tags =
  /^(?:\s*(?:[[(【][^\])】]{1,40}[\])】]|[a-z]{2,10}(?:\([^)]{1,40}\))?!?:(?=\s)|(?:feature request|feature|bug report|bug|question|proposal|rfc|request|suggestion|idea|enhancement|improvement|task|chore|epic|story)\s*[:：-](?=\s)|\p{Extended_Pictographic}\uFE0F?)[\s:：-]*){1,4}/iu;

function readText(where: ReadText['in'], source: string): ReadText {
  const document = readDocument(source);
  const position = positions(document.text);
  return {
    in: where,
    document,
    sentences: sentencesOf(document),
    evidence: (kind, at, length, weight) => {
      // Starts at the first letter, not at the blank or bullet before it.
      const raw = document.text.slice(at, at + Math.min(length, 4 * SHOWN));
      const lead = raw.length - raw.replace(/^(?:[\s>*_-]|#+\s)+(?=\S)/, '').length;
      return { kind, in: where, ...position(at + lead), text: shorten(raw.slice(lead)), weight };
    },
  };
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** The parts of a text that a person wrote. */
export function writtenPieces({ document }: ReadText): Piece[] {
  return document.pieces.filter((piece) => !piece.placeholder);
}

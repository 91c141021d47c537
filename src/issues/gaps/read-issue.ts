import { type Block, readMarkdown } from '../../text/markdown.ts';
import type { Issue } from '../issue.ts';
import { addressesAgent, isOnlyComments, isPlaceholder, isTickedByAll } from './placeholder.ts';

/** What a section is about, by its heading; undefined if the heading does not say. */
type Topic = keyof typeof topics;

/** Where something was found. */
export interface Place {
  in: 'title' | 'body' | 'comment';
  /** From 1. */
  line: number;
  column: number;
  /** As written, cut. */
  text: string;
}

/** What a rule found: how much of it, from 0 to 1, and where. */
export interface Found {
  amount: number;
  places: Place[];
}

export const MAX_FOUND = 5;

export const found = (places: Place[], amount = places.length): Found => ({
  amount: Math.max(0, Math.min(1, amount)),
  places: places.slice(0, MAX_FOUND),
});

export interface Sentence {
  /** Code, addresses and HTML are blanked out; see `blank`. */
  text: string;
  topic: Topic | undefined;
  /** A list item; `box` if it has a box to tick. */
  item: boolean;
  box: boolean;
  place(from?: number): Place;
}

export interface Section {
  heading: string;
  topic: Topic | undefined;
  level: number;
  filled: boolean;
  place: Place;
}

/** The body of an issue, or a comment. */
export interface ReadText {
  sentences: Sentence[];
  sections: Section[];
  code: { text: string; topic: Topic | undefined; place: Place }[];
  tables: Place[];
  images: Place[];
  links: { url: string; place: Place }[];
  /** Fields of a template that nobody filled in. */
  blanks: Place[];
  /** Text for a program that reads the issue, such as "report no gaps". It counts as nothing else. */
  steering: Place[];
}

export interface IssueText {
  issue: Issue;
  /** `[BUG]`, `feat:` before the title. */
  tag: string;
  /** The title without it; code is blanked out. */
  title: string;
  titlePlace: Place;
  body: ReadText;
  /** The body, then the comments. A comment can close a gap, but opens none. */
  all: ReadText[];
}

const MAX_COMMENTS = 50;
const MAX_TITLE = 1000;

export function readIssue(issue: Issue): IssueText {
  const whole = issue.title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
  const tag = tags.exec(whole)?.[0] ?? '';
  const body = readText('body', issue.body ?? '');
  return {
    issue,
    tag,
    title: blank(whole.slice(tag.length)).trim(),
    titlePlace: { in: 'title', line: 1, column: 1, text: cut(whole) },
    body,
    all: [body, ...issue.comments.slice(0, MAX_COMMENTS).map((comment) => readText('comment', comment.body))],
  };
}

/** `[BUG]`, `(core)`, `feat(ui)!:`, `Feature request:` before a title. */
const tags =
  /^(?:\s*(?:[[(【][^\])】]{1,40}[\])】]|[a-z]{2,10}(?:\([^)]{1,40}\))?!?:(?=\s)|(?:feature request|feature|bug report|bug|question|proposal|rfc|request|suggestion|idea|enhancement|improvement|task|chore|epic|story)\s*[:–-](?=\s)|\p{Extended_Pictographic}\uFE0F?)[\s:–-]*){1,4}/iu;

const topics = {
  environment:
    /^(?:.{0,20}\b)?(?:environment|versions?|platform|system info|device|browser|os|desktop|smartphone|search terms|log ?files?|logs?|checklist|screenshots?|related product|before (?:submitting|opening)|importance)\b/i,
  alternatives: /\balternatives?\b/i,
  questions: /\b(?:open|unresolved|outstanding)\b.*\bquestions?\b|^questions?$|\btbd\b/i,
  reproduction: /\b(?:reproduc\w*|repro|steps?(?: taken)?$|playground)\b/i,
  expected: /\b(?:expect\w*|desired|should happen)\b/i,
  actual:
    /\b(?:actual|observed|what happen(?:s|ed)|current(?:ly)?|present) ?(?:behaviou?r|results?|scenario|state|output)?\b/i,
  checks: /\b(?:test(?:s|ing| plan)?|validation|verification|how to (?:test|verify))\b/i,
  criteria: /\b(?:acceptance|criteria|definition of done|done when|requirements?|deliverables?)\b/i,
  solution:
    /\b(?:solutions?|propos\w+|implementation|suggest\w*|recommended|fix|enhancement|tasks?|to-?dos?|goals?|changes|would need|usage|scope|plan|example|feature)\b/i,
  problem:
    /\b(?:problem|description|describe|summary|background|motivation|context|why|overview|bug|issue|story|use case)\b/i,
} satisfies Record<string, RegExp>;

function topicOf(heading: string): Topic | undefined {
  const words = heading.slice(0, 100);
  return (Object.keys(topics) as Topic[]).find((topic) => topics[topic].test(words));
}

/** `## Clarifications (via … Q&A)`, above answers that were written back. */
export const isClarified = ({ heading }: Section) => /clarifications?\b.*\bq\s?&\s?a/i.test(heading);

/** Other sections do not say what is wanted. */
export const counts = ({ topic }: Sentence) => topic !== 'environment' && topic !== 'alternatives';

/** No issue on GitHub has more sentences. If a text does, such as one with a pasted log, its middle does not count. */
const MAX_SENTENCES = 2000;
const MAX_LENGTH = 600;
const MAX_PLACES = 200;

function readText(where: Place['in'], source: string): ReadText {
  const document = readMarkdown(source);
  const read: ReadText = {
    ...{ sentences: [], sections: [], code: [], tables: [], images: [], links: [], blanks: [], steering: [] },
  };
  const open: Section[] = [];

  const at = (line: number, text: string, column = 1): Place => {
    const written = document.lines[line - 1] ?? '';
    return { in: where, line, column: Math.min(column, written.length + 1), text: cut(text) };
  };
  const fill = () => {
    for (const section of open) section.filled = true;
  };
  const begin = (heading: string, level: number, line: number) => {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    // Answers that were written back into the issue are for their gaps only.
    const isAnswer = open.some((section) => isClarified(section));
    const topic = isAnswer ? undefined : (topicOf(heading) ?? open.at(-1)?.topic);
    const section = { heading, topic, level, filled: false, place: at(line, heading) };
    read.sections.push(section);
    open.push(section);
  };

  /** Adds a run of text without blank lines. */
  const addPart = (written: string, line: number, item: boolean) => {
    const text = written.replace(box, '    ');
    if (addressesAgent(text)) {
      read.steering.push(at(line, text));
      return;
    }
    const blanked = blank(text, (url, offset, isImage) => {
      const place = placeIn(document.lines, where, text, line, offset);
      if (isImage) read.images.push(place);
      else if (read.links.length < MAX_PLACES) read.links.push({ url, place });
      fill();
    });
    for (const [from, to] of sentencesIn(blanked)) {
      const label = labelIn(text.slice(from, to), item);
      if (label) begin(label.heading, LABEL, lineOf(text, line, from));
      const start = from + (label?.length ?? 0);
      const words = blanked.slice(start, to);
      const isCriterion = open.at(-1)?.topic === 'criteria';
      if (isPlaceholder(text.slice(start, to)) || (item && isTickedByAll(words, isCriterion))) {
        if (!label || words.trim() !== '')
          read.blanks.push(at(lineOf(text, line, from), text.slice(from, to)));
        continue;
      }
      fill();
      if (read.sentences.length >= MAX_SENTENCES) read.sentences.splice(MAX_SENTENCES / 2, 1);
      read.sentences.push({
        ...{ text: words, topic: open.at(-1)?.topic, item, box: text !== written },
        place: (offset = 0) => placeIn(document.lines, where, text, line, start + offset, to),
      });
    }
  };

  for (const block of [...document.blocks, ...htmlParts(document)].sort((a, b) => lineIn(a) - lineIn(b))) {
    if (block.kind === 'heading') begin(block.text, block.level, block.line);
    else if (block.kind === 'table') {
      read.tables.push(at(block.lines[0] ?? 1, document.lines[(block.lines[0] ?? 1) - 1] ?? ''));
      fill();
    } else if (block.kind === 'code') {
      if (addressesAgent(block.text)) read.steering.push(at(block.line, block.text));
      else if (/[\p{L}\p{N}]/u.test(block.text)) {
        read.code.push({ text: block.text, topic: open.at(-1)?.topic, place: at(block.line, block.text) });
        if (!isOnlyComments(block.text)) fill();
      }
    } else if (block.kind === 'item' && block.text === '') read.blanks.push(at(block.line, ''));
    else addPart(block.text, block.line, block.kind === 'item');
  }
  return read;
}

const lineIn = (block: Block) => (block.kind === 'table' ? (block.lines[0] ?? 1) : block.line);

/** What a person reads of blocks of HTML, such as `<details>`: everything except tags and comments. */
function* htmlParts({ html, lines }: ReturnType<typeof readMarkdown>): Generator<Block> {
  for (const [from, to] of html) {
    const text = lines.slice(from - 1, to).join('\n');
    const where = { line: from, end: to, depth: 0 };
    if (/^\s*<pre/i.test(text))
      yield { kind: 'code', language: undefined, text: withoutTags(text), ...where };
    else yield { kind: 'paragraph', text: withoutComments(text), ...where };
  }
}

const box = /^\[[ x]\]\s/i;

/** Below all headings. */
const LABEL = 7;
const bold = /^\s*(?:\*\*|__)([^*_\n]{2,80})(?:\*\*|__)\s*:?\s*/;
const plainLabel = /^\s*([A-Za-z][\w '/-]{1,40}):\s*/;

/** `**Expected**`, `Expected: x`. Bold text before more text is a label only if its words are known. */
function labelIn(text: string, item: boolean): { heading: string; length: number } | undefined {
  const strong = bold.exec(text);
  const match = strong ?? plainLabel.exec(text);
  const heading = match?.[1];
  if (!match || heading === undefined) return undefined;
  const known = topicOf(heading) !== undefined;
  const alone = strong !== null && match[0].trimEnd().length === text.trimEnd().length && !item;
  return known || alone ? { heading, length: match[0].length } : undefined;
}

/** A line that is shorter was ended by a person; a longer one may be wrapped. */
const WRAPPED = 60;
const end = /(?<![.!?…])[.!?…]+["')\]*_]*(?=\s|$)|[。！？]|\n/g;
const abbreviation = /(?:^|[^a-z])(?:e\.g|i\.e|etc|vs|cf|resp|approx)\.$/i;

function* sentencesIn(text: string): Generator<[number, number]> {
  let from = 0;
  let line = 0;
  for (const match of text.matchAll(end)) {
    const to = match.index + match[0].length;
    if (match[0] === '\n') {
      const length = match.index - line;
      line = to;
      if (length >= WRAPPED) continue;
    } else if (
      abbreviation.test(text.slice(Math.max(0, to - 8), to)) &&
      /^\s[a-z]/.test(text.slice(to, to + 2))
    )
      continue;
    yield* pieces(text, from, to);
    from = to;
  }
  yield* pieces(text, from, text.length);
}

function* pieces(text: string, from: number, to: number): Generator<[number, number]> {
  for (let start = from; start < to; start += MAX_LENGTH) {
    const stop = Math.min(to, start + MAX_LENGTH);
    if (text.slice(start, stop).trim() !== '') yield [start, stop];
  }
}

const lineOf = (text: string, line: number, at: number) => {
  let count = line;
  for (let found = text.indexOf('\n'); found >= 0 && found < at; found = text.indexOf('\n', found + 1))
    count += 1;
  return count;
};

function placeIn(
  lines: string[],
  where: Place['in'],
  text: string,
  first: number,
  from: number,
  to = from + SHOWN,
): Place {
  const lead = /^[\s>*_#-]*/.exec(text.slice(from, from + SHOWN))?.[0].length ?? 0;
  const start = from + (lead < to - from ? lead : 0);
  const line = Math.min(lineOf(text, first, start), lines.length);
  const written = lines[line - 1] ?? '';
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = Math.max(0, written.indexOf(text.slice(lineStart, lineStart + 40).split('\n')[0] ?? ''));
  const column = Math.min(indent + start - lineStart, written.length) + 1;
  return { in: where, line, column, text: cut(text.slice(start, Math.min(to, start + 4 * SHOWN))) };
}

const SHOWN = 160;

function cut(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** Stands for each character of inline code, so that its words are not read as prose. */
export const CODE = '\ue000';
/** Stands for each character of an address. */
const LINK = '\ue001';

const inline =
  /`{1,3}([^`\n]{1,300})`{1,3}|(!?)\[([^[\]\n]{0,300})\]\(([^()\s]{0,500})[^()\n]{0,100}\)|<img\s[^<>]{0,500}>|<[a-z/!][^<>]{0,500}>|https?:\/\/[^\s)>\]]{1,500}/gi;

type OnLink = (url: string, offset: number, isImage: boolean) => void;

/** Replaces what is not prose with as many other characters, so that places stay the same. */
function blank(text: string, onLink: OnLink = () => undefined): string {
  return withoutComments(text).replace(inline, (all: string, code, mark, label, url, offset: number) => {
    if (code !== undefined) return CODE.repeat(all.length);
    if (mark === '!' || /^<img/i.test(all)) onLink(url ?? all, offset, true);
    else if (label !== undefined) {
      onLink(url, offset, false);
      return ` ${/^https?:/.test(label) ? LINK.repeat(label.length) : label}`.padEnd(all.length);
    } else if (!all.startsWith('<')) {
      onLink(all, offset, false);
      return LINK.repeat(all.length);
    }
    return ' '.repeat(all.length);
  });
}

const withoutTags = (text: string) => withoutComments(text).replace(/<[a-z/!][^<>]{0,500}>/gi, ' ');

function withoutComments(text: string): string {
  let rest = text;
  for (let from = rest.indexOf('<!--'); from >= 0; from = rest.indexOf('<!--', from)) {
    const close = rest.indexOf('-->', from);
    const to = close < 0 ? rest.length : close + 3;
    rest = rest.slice(0, from) + rest.slice(from, to).replace(/[^\n]/g, ' ') + rest.slice(to);
  }
  return rest;
}

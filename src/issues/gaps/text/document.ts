import { readMarkdown } from '../../../text/markdown.ts';
import { type Topic, topicOf } from '../words/headings.ts';
import { unspaced } from '../words/phrases.ts';
import { type Masked, maskInline } from './mask.ts';
import type { Document, Piece } from './parts.ts';
import { fenceKind } from './parts.ts';
import { isBoilerplate, isPlaceholder } from './placeholder.ts';

const item = /^(\s*)(?:[-*+•]|(\d{1,3}[.)、]|[a-h]\)))\s+(?:\[([ xX])\]\s*)?/;
const rule = /^ {0,3}(?:[-*_=]\s*){3,}$/;
/** `|:--|---|` between a table's head and its rows. */
const isTableRule = (line: string) => /^[\s|:-]+$/.test(line) && line.includes('|') && line.includes('--');

/**
 * Reads Markdown as it is found in trackers, in linear time: what Markdown says about code and headings, and line by line
 * what people write instead of Markdown.
 */
export function readDocument(source: string): Document {
  const text = source
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', ' ');
  return new Reader(text).read();
}

/** Longer than anybody reads and any tracker allows; the rest is logs, not prose. */
const MAX_PROSE = 128 * 1024;

class Reader {
  readonly #document: Document;
  #paragraph:
    | { parts: string[]; at: number; kind: Piece['kind']; ordered: boolean; box: boolean }
    | undefined;
  #room = MAX_PROSE;
  #level = 0;
  #topic: Topic | undefined;
  #topicAfter: { topic: Topic | undefined } | undefined;

  constructor(text: string) {
    this.#document = { text, pieces: [], fences: [], sections: [], links: [], images: [] };
  }

  read(): Document {
    this.#read(this.#document.text, 0, false);
    markEmptySections(this.#document);
    return this.#document;
  }

  /** Reads the text at this place, which may be what is in a fence. */
  #read(written: string, start: number, isInFence: boolean): void {
    const text = withoutComments(written);
    const lines = text.split('\n');
    const writtenLines = written.split('\n');
    const blocks = blocksByLine(text);
    let at = start;
    for (let index = 0; index < lines.length; ) {
      const block = blocks.get(index + 1);
      const next = Math.max(index + 1, block?.end ?? 0);
      if (block?.kind === 'heading') this.#open(block.text.replace(/[*_`]/g, ''), block.level, at);
      else if (block?.kind === 'code') this.#code(block, writtenLines, at, isInFence);
      else if (!block) this.#line(lines[index] ?? '', at);
      for (; index < next; index += 1) at += (lines[index] ?? '').length + 1;
    }
    this.#close();
  }

  #line(line: string, at: number): void {
    if (line.trim() !== '' && !rule.test(line) && !isTableRule(line)) {
      this.#prose(line, at);
      return;
    }
    this.#close();
    if (this.#topicAfter && line.trim() === '') {
      this.#topic = this.#topicAfter.topic;
      this.#topicAfter = undefined;
    }
  }

  #prose(whole: string, at: number): void {
    if (this.#room <= 0) return;
    const line = whole.slice(0, this.#room);
    this.#room -= line.length + 1;
    const title = headingOf(line);
    if (title) {
      this.#open(title, 7, at);
      return;
    }
    const label = labelOf(line);
    if (label) {
      const before = this.#topicAfter ? this.#topicAfter.topic : this.#topic;
      this.#open(label.text, 7, at);
      // "Version: 2.1" is one line; what follows the next blank line is about something else.
      if (passing.has(this.#topic ?? '')) this.#topicAfter = { topic: before };
      this.#text(' '.repeat(label.length) + line.slice(label.length), at, { fresh: true });
      return;
    }
    this.#text(line, at);
  }

  #text(line: string, at: number, { fresh = false } = {}): void {
    const masked = this.#masked(line, at);
    const entry = fresh ? null : item.exec(line);
    if (entry) {
      this.#close();
      const length = entry[0].length;
      this.#begin('item', ' '.repeat(length) + masked.slice(length), at, {
        ordered: entry[2] !== undefined,
        box: entry[3] !== undefined,
      });
    } else if (/^\s*\|.*\|/.test(line)) {
      this.#close();
      this.#begin('row', masked.replaceAll('|', '\t'), at);
      this.#close();
    } else if (this.#paragraph) this.#paragraph.parts.push(masked.replace(/^\s*>+/, blankOf));
    else this.#begin('paragraph', masked.replace(/^\s*>+/, blankOf), at);
  }

  #begin(kind: Piece['kind'], part: string, at: number, { ordered = false, box = false } = {}): void {
    this.#paragraph = { kind, parts: [part], at, ordered, box };
  }

  #masked(line: string, at: number): string {
    const { text, links, images }: Masked = maskInline(line, at);
    this.#document.links.push(...links);
    this.#document.images.push(...images);
    return text;
  }

  #open(text: string, level: number, at: number): void {
    this.#close();
    this.#topicAfter = undefined;
    this.#topic = topicOf(text);
    // An unknown heading below a known one still belongs to its topic ("Steps" › "On Windows").
    if (this.#topic === undefined && level > this.#level && level < 7)
      this.#topic = this.#document.sections.at(-1)?.topic;
    this.#level = level;
    this.#document.sections.push({ heading: text, at, level, topic: this.#topic, empty: false });
  }

  #close(): void {
    const open = this.#paragraph;
    this.#paragraph = undefined;
    if (!open) return;
    const { kind, at, ordered, box } = open;
    const text = open.parts.join(' ');
    this.#document.pieces.push({
      kind,
      text,
      at,
      ordered,
      box,
      placeholder: isPlaceholder(text) || (box && isBoilerplate(text)),
      topic: this.#topic,
    });
  }

  #code({ language, line, end }: CodeLines, written: string[], at: number, isInFence: boolean): void {
    this.#close();
    const isFence = language !== undefined;
    const isClosed = isFence && end > line && closing.test(written[end - 1] ?? '');
    const lines = written.slice(isFence ? line : line - 1, isClosed ? end - 1 : end);
    const text = lines.join('\n');
    // Trackers that were migrated have whole issues in one fence.
    const whole = isFence && !isInFence && text.length > this.#document.text.length / 2;
    const isTasks = !isInFence && language?.includes('tasklist');
    const kind = isTasks ? 'prose' : fenceKind(language ?? 'code', text, whole);
    const first = lines.find((each) => each.trim() !== '')?.trim() ?? '';
    this.#document.fences.push({ kind, text: first, at, lines: lines.length, topic: this.#topic });
    if (kind === 'prose') this.#read(text, this.#document.text.indexOf('\n', at) + 1, true);
  }
}

const passing = new Set<string>(['environment', 'logs', 'extra', 'dependencies']);

const blankOf = (text: string) => ' '.repeat(text.length);

interface CodeLines {
  kind: 'code';
  language: string | undefined;
  line: number;
  end: number;
}

type Begin =
  | CodeLines
  | { kind: 'heading'; text: string; level: number; end: number }
  | { kind: 'comment'; end: number };

const closing = /^[\s>]*(?:[`~]{3,}|.*<\/pre>)\s*$/;
const MAX_HEADING = 300;

/** Code, headings and open comments by their first line. Unlike in CommonMark, a tag does not hide the Markdown below it. */
function blocksByLine(text: string): Map<number, Begin> {
  const { lines, blocks, html } = readMarkdown(
    text.replace(/^[ \t]*<(?!pre\b)\/?[a-z][^<>\n]{0,2000}>/gim, blankOf),
  );
  const begins = new Map<number, Begin>();
  for (const block of blocks) {
    if (block.kind === 'code') begins.set(block.line, block);
    else if (block.kind === 'heading' && block.text.length <= MAX_HEADING && !block.text.includes('\n')) {
      const isUnderlined = !/^ {0,3}#/.test(lines[block.line - 1] ?? '');
      begins.set(block.line, { ...block, end: isUnderlined ? block.line + 1 : block.line });
    }
  }
  for (const [line, end] of html) {
    const first = lines[line - 1] ?? '';
    if (/^\s*<pre\b/i.test(first)) begins.set(line, { kind: 'code', language: '', line, end });
    else if (first.includes('<!--')) begins.set(line, { kind: 'comment', end });
  }
  return begins;
}

/** The text with blanks instead of comments, so that everything else keeps its position. */
function withoutComments(text: string): string {
  let kept = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return kept + text.slice(at);
    kept += text.slice(at, start) + text.slice(start, end + 3).replace(/[^\n]/g, ' ');
    at = end + 3;
  }
}

// These expect a line without trailing blanks. No two neighbouring parts can match the same blanks, so no line is slow
// to match.
const boldLine = /^ {0,3}(?:\d{1,2}[.)]\s*)?(?:\*\*|__)([^*_]{2,200})(?:\*\*|__)\s*[:：]?$/;
const bracketLine = /^ {0,3}[【[]([^\]】]{2,60})[\]】]\s*[:：]?$/;
const boldLabel = /^ {0,3}(?:[-*+]\s+)?(?:\*\*|__)([^*_]{2,100})(?:\*\*|__)\s*[:：]?\s+(?=\S)/;
const plainLabel =
  /^ {0,3}(?:[-*+]\s+|\d{1,2}[.)]\s+)?([^\s:：*_`#|>][^:：*_`|]{1,60}?)\s*(?:[:：](?:\s+|$)|：)/;
const questionLine = /^ {0,3}([^\s*_`#|>-][^?？]{5,120})[?？]$/;

/** What people write as a heading, though Markdown does not call it one: its text. */
function headingOf(line: string): string | undefined {
  const trimmed = line.trimEnd();
  const alone = boldLine.exec(trimmed) ?? bracketLine.exec(trimmed);
  if (alone) return alone[1];
  const question = questionLine.exec(trimmed)?.[1];
  return question !== undefined && topicOf(question) !== undefined && askedByForm.test(question)
    ? question
    : undefined;
}

/** Questions of old forms, as plain lines: "What steps will reproduce the problem?" */
const askedByForm = /\b(?:you|steps will|expected|the (?:problem|output|version))\b|your /i;

/** `Expected: …`, `**Steps**: …`, `- Actual: …`: a heading followed by its text. */
function labelOf(line: string): { text: string; length: number } | undefined {
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

/** Marks headings that are followed only by placeholders. */
function markEmptySections({ sections, pieces, fences, images, text }: Document): void {
  const filled = [
    ...pieces.filter((piece) => !piece.placeholder).map(({ at }) => at),
    ...fences.filter(({ kind }) => kind !== 'empty').map(({ at }) => at),
    ...images.map(({ at }) => at),
  ].sort((a, b) => a - b);
  let next = 0;
  sections.forEach((section, index) => {
    const following = sections[index + 1];
    const end = following?.at ?? text.length + 1;
    while (next < filled.length && (filled[next] ?? 0) < section.at) next += 1;
    const nothingHere = (filled[next] ?? Number.POSITIVE_INFINITY) >= end;
    section.empty = nothingHere && !(following !== undefined && following.level > section.level);
  });
}

import { type Topic, topicOf } from '../words/headings.ts';
import { isBoilerplate } from './boilerplate.ts';
import { Comments } from './comments.ts';
import { markEmptySections } from './empty-sections.ts';
import { fenceKind } from './fence.ts';
import { headingOf, labelOf } from './heading.ts';
import { type Masked, maskInline } from './mask.ts';
import { closesFence, type OpenFence, openFence } from './open-fence.ts';
import type { Document, Piece } from './parts.ts';
import { isPlaceholder } from './placeholder.ts';

const item = /^(\s*)(?:[-*+•]|(\d{1,3}[.)、]|[a-h]\)))\s+(?:\[([ xX])\]\s*)?/;
const rule = /^ {0,3}(?:[-*_=]\s*){3,}$/;
/** `|:--|---|` between a table's head and its rows. */
const isTableRule = (line: string) => /^[\s|:-]+$/.test(line) && line.includes('|') && line.includes('--');

/** Reads Markdown as it is found in trackers, line by line, in linear time. */
export function readDocument(source: string): Document {
  const text = source
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', ' ');
  const reader = new Reader(text);
  let at = 0;
  for (const line of text.split('\n')) {
    reader.line(line, at);
    at += line.length + 1;
  }
  return reader.end();
}

/** Longer than anybody reads and any tracker allows; the rest is logs, not prose. */
const MAX_PROSE = 128 * 1024;

class Reader {
  readonly #document: Document;
  #paragraph:
    | { parts: string[]; at: number; kind: Piece['kind']; ordered: boolean; box: boolean }
    | undefined;
  #fence: OpenFence | undefined;
  #room = MAX_PROSE;
  readonly #comments = new Comments();
  #blankBefore = true;
  /** Where the last line of indented code ended. */
  #codeEnd = -2;
  #level = 0;
  #topic: Topic | undefined;
  #topicAfter: { topic: Topic | undefined } | undefined;

  constructor(text: string) {
    this.#document = { text, pieces: [], fences: [], sections: [], links: [], images: [] };
  }

  line(raw: string, at: number): void {
    if (this.#fence) {
      if (closesFence(this.#fence, raw)) this.#closeFence();
      else this.#fence.lines.push(raw);
      return;
    }
    const line = this.#comments.blankedIn(raw);
    const fence = this.#comments.isOpen ? undefined : openFence(line, at);
    if (fence) {
      this.#close();
      this.#fence = fence;
    } else if (line.trim() === '' || rule.test(line) || isTableRule(line)) {
      if (!this.#setextUnder(line)) this.#close();
      if (this.#topicAfter && line.trim() === '') {
        this.#topic = this.#topicAfter.topic;
        this.#topicAfter = undefined;
      }
    } else if (this.#isIndentedCode(line)) {
      this.#close();
      this.#indentedCode(line, at);
      return;
    } else this.#prose(line, at);
    this.#blankBefore = line.trim() === '';
  }

  end(): Document {
    this.#close();
    if (this.#fence) this.#closeFence();
    markEmptySections(this.#document);
    return this.#document;
  }

  #prose(whole: string, at: number): void {
    if (this.#room <= 0) return;
    const line = whole.slice(0, this.#room);
    this.#room -= line.length + 1;
    const title = headingOf(line);
    if (title) {
      this.#close();
      this.#open(title.text, title.level, at);
      return;
    }
    const label = labelOf(line);
    if (label) {
      this.#close();
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

  /** `Title` over `-----` or `=====`. */
  #setextUnder(line: string): boolean {
    const open = this.#paragraph;
    if (open?.kind !== 'paragraph' || open.parts.length !== 1 || !/^ {0,3}(?:-{3,}|={3,})\s*$/.test(line))
      return false;
    this.#paragraph = undefined;
    this.#open(open.parts[0]?.trim() ?? '', line.includes('=') ? 1 : 2, open.at);
    return true;
  }

  /** Adjacent lines are one block; its first line determines the kind. */
  #indentedCode(line: string, at: number): void {
    const last = this.#document.fences.at(-1);
    if (last && this.#codeEnd === at - 1) last.lines += 1;
    else
      this.#document.fences.push({
        kind: fenceKind('code', line, false),
        text: line.trim(),
        at,
        lines: 1,
        topic: this.#topic,
      });
    this.#codeEnd = at + line.length;
  }

  #isIndentedCode(line: string): boolean {
    return (
      /^(?: {4}|\t)\s*\S/.test(line) &&
      this.#blankBefore &&
      this.#paragraph === undefined &&
      !item.test(line) &&
      this.#document.pieces.at(-1)?.kind !== 'item'
    );
  }

  #closeFence(): void {
    const open = this.#fence;
    this.#fence = undefined;
    if (!open) return;
    const text = open.lines.join('\n');
    // Trackers that were migrated have whole issues in one fence.
    const whole = text.length > this.#document.text.length / 2;
    const kind = open.language.includes('tasklist') ? 'prose' : fenceKind(open.language, text, whole);
    const first = open.lines.find((line) => line.trim() !== '')?.trim() ?? '';
    this.#document.fences.push({
      kind,
      text: first,
      at: open.at,
      lines: open.lines.length,
      topic: this.#topic,
    });
    if (kind === 'prose') this.#proseOfFence(open.lines, open.at);
  }

  #proseOfFence(lines: string[], fenceAt: number): void {
    let at = this.#document.text.indexOf('\n', fenceAt) + 1;
    for (const line of lines) {
      if (line.trim() === '') this.#close();
      else this.#prose(line, at);
      at += line.length + 1;
    }
    this.#close();
  }
}

const passing = new Set<string>(['environment', 'logs', 'extra', 'dependencies']);

const blankOf = (text: string) => ' '.repeat(text.length);

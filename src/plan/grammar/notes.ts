import type { Document } from './markdown.ts';
import type { NotesPath, PhaseFile } from './plan.ts';
import type { Sections, TextBlock } from './sections.ts';
import { spanOf } from './text-span.ts';

const path =
  /`([^`\n]+)`|\]\(([^()\s]+)\)|(?<![\w/.{}~-])((?:[\w.{}~-]*\/)+[\w.{}-]*[\w}]|[\w{}-]+\.(?:mdx?|txt|json))/g;
const writes =
  /\b(?:write|writes|save|record|put|append|store|create|update)\b|\bnotes?\s+(?:to|output|out)\b|\boutput\s+notes\b|^\W*(?:notes|output)\s*:/i;
const reads =
  /\b(?:read|load|review|see|check|consult)\b|\bnotes?\s+(?:from|input)\b|\b(?:input|previous)\s+notes\b|^\W*input\s*:/i;
/** The longest sentence to search, because a document is not a sentence. */
const MAX_LENGTH = 2000;

/** Where a phase finds the notes of earlier phases, and where it writes its own. */
export function readNotes(document: Document, sections: Sections): PhaseFile['notes'] {
  const notes: PhaseFile['notes'] = { input: null, output: null };
  for (const { block, section } of sections.texts) {
    if (notes.input && notes.output) break;
    if (section !== 'notes' && !/otes|OTES/.test(block.text)) continue;
    for (const line of block.text.slice(0, MAX_LENGTH).split('\n')) {
      notes.input ??= find(reads, writes, line, section === 'notes', document, block);
      notes.output ??= find(writes, reads, line, section === 'notes', document, block);
    }
  }
  return notes;
}

/** The first path after a word about notes: "Write `src/x.ts`" is not about notes. */
function find(
  word: RegExp,
  other: RegExp,
  line: string,
  inNotes: boolean,
  document: Document,
  block: TextBlock,
): NotesPath | null {
  const bare = line.replace(/^\[[ xX]\]\s*/, '');
  const verb = word.exec(bare);
  if (!verb) return null;
  const rest = bare.slice(verb.index + verb[0].length);
  for (const match of rest.matchAll(path)) {
    const before = rest.slice(0, match.index);
    if (other.test(before)) return null;
    const found = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    // Unquoted, it has to look like a file: `and/or` and `N/A` do not.
    if (match[3] !== undefined && !/\.\w{1,5}$|notes/i.test(found)) continue;
    const about =
      (inNotes && /^\W*(?:input|output|read|write)\b/i.test(bare)) ||
      /notes/i.test(verb[0] + before) ||
      /notes/i.test(found);
    if (about && found !== '' && !/\s/.test(found.replace(/\{[^{}]*\}/g, '')))
      return { path: found, span: spanOf(document.lines, block.line, found, block.end) };
  }
  return null;
}

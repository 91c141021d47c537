import { mentionedCriteria } from './criteria.ts';
import { isWish, knownGateCommand } from './known-gates.ts';
import type { Document } from './markdown.ts';
import { placesIn } from './place.ts';
import type { Gate } from './plan.ts';
import { ownText, type Sections, type TextBlock } from './sections.ts';

/** The items under `## Gates`, in groups or not. What stands below an item belongs to it, unless the item is a group. */
export function readGates(document: Document, sections: Sections): Gate[] {
  const gates: Gate[] = [];
  /** The item whose details follow. */
  let open: { gate: Gate; depth: number } | undefined;
  const blocks = sections.of('gates');
  blocks.forEach((block, index) => {
    if (block.kind === 'heading' || block.kind === 'table') {
      open = undefined;
      return;
    }
    if (open && block.depth > open.depth - (block.kind === 'item' ? 0 : 1)) {
      open.gate.covers.push(...mentionedCriteria(block.text));
      return;
    }
    open = undefined;
    if (block.kind !== 'item') return;
    const next = blocks[index + 1];
    const hasItems = next?.kind === 'item' && next.depth > block.depth;
    const gate = readGate(document, block);
    if (!gate || (gate.command === null && hasItems)) return;
    gates.push(gate);
    open = { gate, depth: block.depth };
  });
  return gates.map((gate) => ({ ...gate, covers: [...new Set(gate.covers)] }));
}

const named =
  /^(?:\[[ xX]\]\s*)?(?:\*\*([^*\n]{1,80}?):?\s*\*\*\s*:?|`([^`\n]{1,80})`\s*:|((?:[^:`\n]|:(?=\S)){1,80}?)\s*:(?=\s|$)|([\w.-]{1,40}):(?=\S))\s*/;

function readGate(document: Document, block: TextBlock): Gate | undefined {
  const text = ownText(document, block);
  const match = named.exec(text);
  const wanted = (match ? text.slice(match[0].length) : text.replace(/^\[[ xX]\]\s*/, '')).trim();
  if (!match && wanted === '') return undefined;
  const written = commandIn(wanted);
  const name = (match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4] ?? written ?? firstLine(wanted)).trim();
  const command = written ?? commandFor(name, match ? firstLine(wanted) : '');
  return {
    name,
    command,
    covers: mentionedCriteria(text),
    line: block.line,
    place: placeOfGate(document, block, command, name, match?.[0].length ?? 0),
  };
}

/** The command where it is written, else the name. */
function placeOfGate(
  { lines }: Document,
  block: TextBlock,
  command: string | null,
  name: string,
  behindName: number,
): Gate['place'] {
  const at = command === null ? -1 : block.text.indexOf(command, behindName);
  const place = placesIn(lines, block);
  if (at >= 0 && command !== null) return place(at, command.length);
  return place(Math.max(0, block.text.indexOf(name)), name.length);
}

/** What stands in backticks is the command; after `command:` where there are several. */
function commandIn(text: string): string | undefined {
  const found =
    /command:?\*{0,2}:?\s*(`{1,3})(.+?)\1(?!`)/is.exec(text) ??
    /(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)/s.exec(text);
  // A `$ ` before it is the prompt of a shell.
  return (
    found?.[2]
      ?.split('\n')
      .map((line) => line.trim())
      .join(' ')
      .replace(/^\s*\$\s+/, '')
      .trim() || undefined
  );
}

function commandFor(name: string, text: string): string | null {
  const bare = text.replace(/\((?:covers\s+)?[A-Z]{1,5}-?\d[^()]*\)$/i, '').trim();
  if (bare === '' || isWish(bare)) return knownGateCommand(name);
  return bare;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}

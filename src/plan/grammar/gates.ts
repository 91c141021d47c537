import { mentionedCriteria } from './criteria.ts';
import { commandBelow, type GateItem, readGateItem } from './gate-item.ts';
import type { Block, Document } from './markdown.ts';
import type { Gate } from './plan.ts';
import type { Sections } from './sections.ts';
import { lineStart } from './text-span.ts';

/** The items under `## Gates`, grouped or not. Content below an item belongs to it, unless the item is a group. */
export function readGates(document: Document, sections: Sections): Gate[] {
  const gates: Gate[] = [];
  /** The item whose details follow. */
  let open: (GateItem & { depth: number }) | undefined;
  const blocks = sections.of('gates');
  blocks.forEach((block, index) => {
    if (block.kind === 'heading' || block.kind === 'table') {
      open = undefined;
      return;
    }
    if (open && block.depth > open.depth - (block.kind === 'item' ? 0 : 1)) {
      takeDetail(document, block, open);
      return;
    }
    open = undefined;
    const item = block.kind === 'item' ? readGateItem(document, block) : undefined;
    if (block.kind !== 'item' || !item || isGroup(document, item, block.depth, blocks[index + 1])) return;
    gates.push(item.gate);
    open = { ...item, depth: block.depth };
  });
  return gates.map((gate) => ({ ...gate, covers: [...new Set(gate.covers)] }));
}

/** A name without a command above items that are gates; details of a gate do not count. */
function isGroup(
  document: Document,
  { gate, written }: GateItem,
  depth: number,
  next: Block | undefined,
): boolean {
  if (written || next?.kind !== 'item' || next.depth <= depth || commandBelow(next.text) !== undefined)
    return false;
  return gate.command === null || readGateItem(document, next)?.written === true;
}

/** What a detail adds: covered criteria, and the command if the item itself has none. */
function takeDetail(
  { lines }: Document,
  block: Extract<Block, { text: string }>,
  open: GateItem & { depth: number },
): void {
  open.gate.covers.push(...mentionedCriteria(block.text));
  const command = block.kind === 'code' ? scriptIn(block.text) : commandBelow(block.text);
  if (open.written || command === undefined) return;
  Object.assign(open.gate, { command, span: lineStart(lines, block.line) });
  open.written = true;
}

/** If there are several lines, each has to succeed. */
function scriptIn(code: string): string | undefined {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  const script = lines.map((line) => line.replace(/^\$\s+/, '')).join('\n');
  return lines.length > 1 ? `set -e\n${script}` : script.trim() || undefined;
}

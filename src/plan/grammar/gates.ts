import type { Block, Document } from '../../text/markdown.ts';
import type { Gate } from './plan.ts';
import { lineStart, ownText, type Sections, spansIn, type TextBlock } from './sections.ts';
import { mentionedCriteria } from './tasks.ts';

/** The items under `## Gates`, grouped or not. Content below an item belongs to it, unless the item is a group. */
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
      takeDetail(document, block, open.gate);
      return;
    }
    open = undefined;
    const gate = block.kind === 'item' ? readGateItem(document, block) : undefined;
    if (!gate || isGroup(gate, block.depth, blocks[index + 1])) return;
    gates.push(gate);
    open = { gate, depth: block.depth };
  });
  return gates.map((gate) => ({ ...gate, covers: [...new Set(gate.covers)] }));
}

/** A name without a command above items that are gates; details of a gate do not count. */
function isGroup({ command }: Gate, depth: number, next: Block | undefined): boolean {
  if (command !== null || next?.kind !== 'item' || next.depth <= depth) return false;
  return commandBelow(next.text) === undefined;
}

/** What a detail adds: covered criteria, and the command if the item itself has none. */
function takeDetail({ lines }: Document, block: Extract<Block, { text: string }>, gate: Gate): void {
  gate.covers.push(...mentionedCriteria(block.text));
  const command = block.kind === 'code' ? scriptIn(block.text) : commandBelow(block.text);
  if (gate.command !== null || command === undefined) return;
  Object.assign(gate, { command, span: lineStart(lines, block.line) });
}

/** If there are several lines, each has to succeed. */
function scriptIn(code: string): string | undefined {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  const script = lines.map((line) => line.replace(/^\$\s+/, '')).join('\n');
  return lines.length > 1 ? `set -e\n${script}` : script.trim() || undefined;
}

const box = /^\[[ xX]\]\s*/;
const named =
  /^(?:\[[ xX]\]\s*)?(?:\*\*([^*\n]{1,80}?):?\s*\*\*\s*:?|`([^`\n]{1,80})`\s*:|((?:[^:`\n]|:(?=\S)){1,80}?)\s*:(?=\s|$)|([\w.-]{1,40}):(?=\S))\s*/;

/** An item such as `- tests: npm test`, ``- **tests:** `npm test` `` or ``- `npm test` ``. */
function readGateItem(document: Document, block: TextBlock): Gate | undefined {
  const text = ownText(document, block);
  const match = named.exec(text);
  const wanted = (match ? text.slice(match[0].length) : text.replace(box, '')).trim();
  if (!match && wanted === '') return undefined;
  const command = commandIn(wanted) ?? (match ? bareCommand(wanted, match[2]) : undefined) ?? null;
  const name = (match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4] ?? command ?? firstLine(wanted)).trim();
  const at = command === null ? -1 : text.indexOf(command, commandIn(wanted) ? (match?.[0].length ?? 0) : 0);
  const span = spansIn(document.lines, block);
  return {
    name,
    command,
    covers: mentionedCriteria(text),
    line: block.line,
    span:
      at >= 0 && command !== null
        ? span(at, command.length)
        : span(Math.max(0, text.indexOf(name)), name.length),
  };
}

/** The command in a detail below a gate: ``- Command: `npm test` ``. */
function commandBelow(text: string): string | undefined {
  const label = /^(?:\*\*)?(?:command|cmd|run)(?:\*\*)?\s*:(?:\*\*)?\s*/i.exec(text.replace(box, ''));
  if (!label) return undefined;
  const rest = text.replace(box, '').slice(label[0].length);
  return commandIn(rest) ?? bareCommand(rest, undefined);
}

/** The command is the text in backticks; if there are several, the one after `command:`. */
function commandIn(text: string): string | undefined {
  const found =
    /command:?\*{0,2}:?\s*(`{1,3})(.+?)\1(?!`)/is.exec(text) ??
    /(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)/s.exec(text);
  const lines = found?.[2]?.split('\n').map((line) => line.trim());
  return (lines && withoutPrompt(lines.join(' '))) || undefined;
}

/** Without backticks the rest of the line is the command, unless it states the expected result of a named one. */
function bareCommand(text: string, quotedName: string | undefined): string | undefined {
  const bare = firstLine(text).replace(/\((?:covers\s+)?[A-Z]{1,5}-?\d[^()]*\)$/i, '');
  if (bare.trim() !== '' && !isWish(bare.trim())) return withoutPrompt(bare);
  // A name in backticks with several words, or with a path, can only be a command: "`npm test`: all pass".
  return quotedName !== undefined && /\S\s|^\.?\//.test(quotedName) ? withoutPrompt(quotedName) : undefined;
}

/** Removes a leading `$ `, the prompt of a shell. */
function withoutPrompt(command: string): string {
  return command.trim().replace(/^\$\s+/, '');
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}

const words =
  'zero no not all every each must should shall will has have is are ok okay pass passes passed passing green clean ' +
  'success successful succeeds succeeded works working none n/a tbd todo never without exits';
const wish = new RegExp(
  String.raw`^(?:[<>=≥≤~±%✓✔✅☑–—-]|\d[\d.,]*[%+]{0,2}(?:\s|$)|(?:${words.split(' ').join('|')})(?![\w./=-])|[a-z]$)`,
  'i',
);

/** Whether a text states the expected result (`0 errors`, `all pass`) and not a command. */
function isWish(text: string): boolean {
  return wish.test(text);
}

import type { Block, Document } from '../../text/markdown.ts';
import type { Gate } from './plan.ts';
import { lineStart, ownText, type Sections, spansIn, type TextBlock } from './sections.ts';
import { mentionedCriteria } from './tasks.ts';

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

interface GateItem {
  gate: Gate;
  /** Whether the item contains the command; else it is the usual one for that name, or missing. */
  written: boolean;
}

const box = /^\[[ xX]\]\s*/;
const named =
  /^(?:\[[ xX]\]\s*)?(?:\*\*([^*\n]{1,80}?):?\s*\*\*\s*:?|`([^`\n]{1,80})`\s*:|((?:[^:`\n]|:(?=\S)){1,80}?)\s*:(?=\s|$)|([\w.-]{1,40}):(?=\S))\s*/;

/** An item such as `- tests: npm test`, ``- **tests:** `npm test` `` or ``- `npm test` ``. */
function readGateItem(document: Document, block: TextBlock): GateItem | undefined {
  const text = ownText(document, block);
  const match = named.exec(text);
  const wanted = (match ? text.slice(match[0].length) : text.replace(box, '')).trim();
  if (!match && wanted === '') return undefined;
  const written = commandIn(wanted) ?? (match ? bareCommand(wanted, match[2]) : undefined);
  const name = (match?.[1] ?? match?.[2] ?? match?.[3] ?? match?.[4] ?? written ?? firstLine(wanted)).trim();
  const command = written ?? knownGateCommand(name);
  const at = command === null ? -1 : text.indexOf(command, commandIn(wanted) ? (match?.[0].length ?? 0) : 0);
  const span = spansIn(document.lines, block);
  return {
    gate: {
      name,
      command,
      covers: mentionedCriteria(text),
      line: block.line,
      span:
        at >= 0 && command !== null
          ? span(at, command.length)
          : span(Math.max(0, text.indexOf(name)), name.length),
    },
    written: written !== undefined,
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

/** Gate names that imply their command, for plans that only write the expected result (`ruff: 0 errors`). */
const known: Record<string, string> = {
  ruff: 'uv run ruff check .',
  pyright: 'uv run pyright',
  ty: 'uv run ty check .',
  bandit: 'uv run bandit -r src/ -x ./tests',
  radon: 'uv run radon cc src/ -a -nc',
  tests: 'uv run pytest',
  pytest: 'uv run pytest',
  coverage: 'uv run pytest --cov',
  tsc: 'pnpm exec tsc --noEmit',
  eslint: 'pnpm lint',
};

function knownGateCommand(name: string): string | null {
  return Object.hasOwn(known, name.toLowerCase()) ? (known[name.toLowerCase()] ?? null) : null;
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

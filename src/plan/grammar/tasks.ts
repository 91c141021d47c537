import { oneLine } from '../../text/lines.ts';
import type { Document } from '../../text/markdown.ts';
import type { Criterion, ProcessStep, Task } from './plan.ts';
import { lineStart, ownText, type Sections, type TextBlock } from './sections.ts';

const checkbox = /^\[([ xX])\](?:\s+|$)/;
const taskId =
  /^(?:\*\*|`)?(?:(\d+(?:\.\d+)+[a-z]?)(?:\*\*|`)?(?:[:.)]|\s[-–—]|\s|$)|(\d+|T-?\d+(?:\.\d+)*)(?:\*\*|`)?(?:[:.)]|\s[-–—])(?=\s|\*|$))(?:\*\*|`)?\s*/;

/** The `- [ ]` items under `## Tasks`, grouped or nested; content below one belongs to it. */
export function readTasks(document: Document, sections: Sections): Task[] {
  const tasks: Task[] = [];
  let open: Task | undefined;
  for (const block of sections.of('tasks')) {
    if (block.kind === 'heading' || block.kind === 'table') {
      open = undefined;
      continue;
    }
    if (block.kind === 'code') continue;
    const task = block.kind === 'item' ? readTask(document, block) : undefined;
    if (task) tasks.push(task);
    else if (open && block.depth > 0) open.covers.push(...mentionedCriteria(block.text));
    open = task ?? (block.depth > 0 ? open : undefined);
  }
  return tasks.map((task) => ({ ...task, covers: [...new Set(task.covers)] }));
}

function readTask(document: Document, block: TextBlock): Task | undefined {
  const box = checkbox.exec(block.text);
  if (!box) return undefined;
  const written = textOf(document, block).slice(box[0].length);
  const match = taskId.exec(written);
  const number = block.kind === 'item' ? block.number : undefined;
  const id = match?.[1] ?? match?.[2] ?? number;
  const task: Task = {
    text: written.slice(match?.[0].length ?? 0).trim(),
    done: box[1] !== ' ',
    covers: mentionedCriteria(written),
    line: block.line,
    span: lineStart(document.lines, block.line),
  };
  if (id !== undefined) task.id = id;
  return task;
}

function textOf(document: Document, block: TextBlock): string {
  return ownText(document, block).replaceAll('\n', ' ');
}

const stepKinds: [ProcessStep['kind'], RegExp][] = [
  ['read_notes', /\bread\b.*\bnotes|\bread\b.*\/notes|\bprevious notes\b/i],
  ['write_notes', /\b(?:write|save|record)\b.*notes/i],
  ['implementation', /\bimplement(?:ation|s|ed|ing)?\b/i],
  ['validation', /\bvalidat|\bgates?\b|\btests?\b|\bchecks?\b/i],
];

/** The steps of the process wrapper: its items with a checkbox. */
export function readProcess(document: Document, sections: Sections): ProcessStep[] {
  return sections.of('process').flatMap((block) => {
    if (block.kind !== 'item') return [];
    const box = checkbox.exec(block.text);
    if (!box) return [];
    const text = textOf(document, block).slice(box[0].length);
    const kind = stepKinds.find(([, pattern]) => pattern.test(text.slice(0, 500)))?.[0] ?? 'other';
    return [{ kind, text: text.trim(), done: box[1] !== ' ', line: block.line }];
  });
}

const ID = String.raw`[A-Z]{1,5}-?\d+(?:\.\d+)*[a-z]?`;
const item = new RegExp(
  String.raw`^(?:\[[ xX]\]\s*)?(?:[*_${'`'}[(]{0,3}(${ID})[*_${'`'}\])]{0,3}(?:\s*[:.)–—-]|\s|$)[*_]{0,2}\s*)?(.*)`,
  's',
);
const mention = new RegExp(String.raw`(?<![\w.-])${ID}(?![\w-])`, 'g');

/** The items under `## Acceptance Criteria`, with their ids if they have one. */
export function readCriteria(document: Document, sections: Sections): Criterion[] {
  return sections.of('criteria').flatMap((block) => {
    if (block.kind !== 'item') return [];
    const [, id, text = ''] = item.exec(block.text) ?? [];
    if (block.depth > 1 && id === undefined) return [];
    const span = lineStart(document.lines, block.line);
    return [{ id: id ?? null, text: oneLine(text), line: block.line, span }];
  });
}

/** What looks like a criterion's id; the audit checks whether it exists. */
export function mentionedCriteria(text: string): string[] {
  const found = /[A-Z]-?\d/.test(text) ? text.match(mention) : null;
  return found === null || found.length === 1 ? (found ?? []) : [...new Set(found)];
}

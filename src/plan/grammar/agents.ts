import { plainText } from './inline.ts';
import type { Document } from './markdown.ts';
import type { AgentMention } from './plan.ts';
import type { Sections } from './sections.ts';
import { splitRow } from './table-row.ts';
import { spanOf, spansIn } from './text-span.ts';

const NAME = '[A-Za-z0-9](?:[\\w-]*[A-Za-z0-9])?';
const atStart = new RegExp(`^(?:\\[[ xX]\\]\\s*)?[^\\w\\n]{0,10}AGENT:\\s?(${NAME})`, 'gm');
const marked = new RegExp(`(?:\\*\\*|\`)\\s?AGENT:\\s?(${NAME})`, 'g');
const called = new RegExp(`\\bsubagent_type["']?\\s*[:=]\\s*["'\`]?(${NAME})`, 'g');

/** Agents that a phase needs: `AGENT:name` as a mark (not in a sentence), `subagent_type`, and the table of agents. */
export function readAgents(document: Document, sections: Sections): AgentMention[] {
  const found = new Map<string, AgentMention>();
  const add = (agent: AgentMention) => {
    const known = found.get(agent.name);
    if (!known || (agent.required && !known.required)) found.set(agent.name, agent);
  };
  for (const { block } of sections.texts) {
    if (!/AGENT:|subagent_type/.test(block.text)) continue;
    const span = spansIn(document.lines, block);
    for (const pattern of [atStart, marked, called])
      for (const { 0: mark, 1: name = '', index } of block.text.matchAll(pattern))
        add({ name, required: true, span: span(index + mark.length - name.length, name.length) });
  }
  for (const block of sections.of('agents'))
    if (block.kind === 'table') readTable(document, block.lines).forEach(add);
  return [...found.values()];
}

/** If some rows say REQUIRED, the others are optional; else all are required, except those with a condition. */
function readTable({ lines, references }: Document, [head = 0, ...body]: number[]): AgentMention[] {
  const heading = splitRow(lines[head - 1] ?? '').map(({ text }) => plainText(text).toLowerCase());
  const column = heading.findIndex((name) => /^(?:sub)?agents?(?: name)?$/.test(name));
  if (column < 0) return [];
  const rows = body.map((line) => ({ line, raw: lines[line - 1] ?? '' }));
  const anyRequired = rows.some(({ raw }) => /\bREQUIRED\b/.test(raw));
  return rows.flatMap(({ line, raw }) => {
    const cell = plainText(splitRow(raw)[column]?.text ?? '', references).replace(/^AGENT:\s?/, '');
    if (!new RegExp(`^${NAME}$`).test(cell)) return [];
    const required = anyRequired ? /\bREQUIRED\b/.test(raw) : !/\boptional\b|\|\s*(?:if|when)\b/i.test(raw);
    return [{ name: cell, required, span: spanOf(lines, line, cell) }];
  });
}

import type { Protocol } from './protocol.ts';
import { findReferences } from './references.ts';

/** A protocol as an agent reads it. */
export function renderProtocol({ name, description, inputs, outputs, steps }: Protocol): string {
  const given = inputs.map(
    (input) =>
      `- ${input.name}: ${input.type} (${input.optional ? 'optional' : 'required'})${described(' - ', input)}`,
  );
  const returned = outputs.map((output) => `- ${output.value}${described('\n  ', output)}`);
  return [
    [`# ${name}`, ...(description ? [description] : [])].join('\n'),
    ...section('Inputs', given),
    ...section('Outputs', returned),
    '## Steps',
    ...steps.map(({ number, text }) => `${number}: ${text}`),
  ].join('\n\n');
}

function section(title: string, lines: string[]): string[] {
  return lines.length > 0 ? [[`## ${title}`, ...lines].join('\n')] : [];
}

const described = (before: string, { description }: { description: string }) =>
  description ? before + description : '';

const MAX_LABEL_LENGTH = 60;
const GOES = /\b(?:go|goes|jump|return|back|skip|proceed|continue|resume|restart|repeat)\b[^.;:\n]{0,40}$/i;

/** A protocol as a Mermaid flow chart. Dotted arrows show where a text says to go to another step. */
export function protocolGraph({ steps }: Protocol): string {
  const boxes = steps.map(({ number, text }) => `  s${number}["${number}: ${label(text)}"]`);
  const onward = steps.slice(1).map(({ number }) => `  s${number - 1} --> s${number}`);
  const jumps = steps.flatMap(({ number, text }) =>
    [...new Set(jumpsIn(text))]
      .filter((target) => target <= steps.length)
      .map((target) => `  s${number} -.-> s${target}`),
  );
  return ['flowchart TD', ...boxes, ...onward, ...jumps].join('\n');
}

/** The steps that a text says to go to. The text already has the printed numbers. */
function jumpsIn(text: string): number[] {
  return findReferences(text)
    .filter(({ start }) => GOES.test(text.slice(Math.max(0, start - 80), start)))
    .map(({ key }) => Number(key))
    .filter(Number.isInteger);
}

function label(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  const short = line.length > MAX_LABEL_LENGTH ? `${line.slice(0, MAX_LABEL_LENGTH)}…` : line;
  // Mermaid's own spelling of characters that would end or format a label.
  return short.replace(/[^\p{L}\p{N} .,:;!?()/='…_-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}

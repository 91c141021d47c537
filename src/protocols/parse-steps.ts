import { isScalar, isSeq, type Node, Scalar } from 'yaml';
import { isAbsent } from './absent.ts';
import type { FilePosition, StepDeclaration } from './protocol.ts';
import { shown } from './shown.ts';
import { readStepKey } from './step-key.ts';
import type { Field, YamlSource } from './yaml-source.ts';

/** A mapping from keys to texts, or a plain list, whose entries are steps 1, 2, 3 … */
export function parseSteps(source: YamlSource, field: Field | undefined): StepDeclaration[] {
  if (!field || isAbsent(field.value)) return [];
  const entries = isSeq(field.value) ? listed(source, field, field.value.items) : source.fields(field.value);
  if (!entries) source.fail(source.place(field.value, field.at), '"steps" must be a mapping or a list.');
  const seen = new Map<string, Field>();
  return (entries ?? []).flatMap((entry) => {
    const step = parseStep(source, entry);
    if (!step) return [];
    const name = `${step.key}${step.append ? '+' : ''}`;
    const before = seen.get(name);
    if (before)
      source.fail(
        entry.at,
        `Step ${name} is a duplicate of "${shown(before.name)}" on line ${before.at.line}.`,
      );
    seen.set(name, entry);
    return before ? [] : [step];
  });
}

function listed(source: YamlSource, field: Field, items: unknown[]): Field[] {
  return items.map((item, index) => {
    const value = source.follow(item as Node | null);
    return { name: String(index + 1), at: source.place(item as Node | null, field.at), value };
  });
}

function parseStep(source: YamlSource, { name, at, value }: Field): StepDeclaration | undefined {
  const key = readStepKey(name);
  if ('fault' in key) {
    source.fail(at, `"${shown(name)}" ${key.fault}`);
    return undefined;
  }
  const body = bodyOf(value);
  if ('fault' in body) {
    source.fail(source.place(value, at), `Step ${key.key} ${body.fault}`);
    return undefined;
  }
  return { ...key, text: body.text, at, ...textPlace(source, value, body.text) };
}

function bodyOf(value: Node | null): { text: string } | { fault: string } {
  if (isAbsent(value)) return { fault: 'is empty. Say what to do.' };
  if (!isScalar(value)) return { fault: 'must be a string: write it after "|".' };
  if (typeof value.value !== 'string') {
    return {
      fault: `must be a string: put ${shown(value.source ?? 'it')} in quotes, or write it after "|".`,
    };
  }
  const text = value.value.replace(/(?<!\n)\n+$/, '');
  return text.trim() === '' ? { fault: 'is empty. Say what to do.' } : { text };
}

/** The place of the text in the file, known only for a text after `|`, whose lines YAML does not change. */
function textPlace(
  source: YamlSource,
  value: Node | null,
  text: string,
): { textAt?: Omit<FilePosition, 'file'> } {
  if (!isScalar(value) || value.type !== Scalar.BLOCK_LITERAL) return {};
  const first = text.split('\n').findIndex((line) => line.trim() !== '');
  const line = source.place(value, source.top).line + 1;
  const indent = source.line(line + first).length - (text.split('\n')[first] ?? '').length;
  return { textAt: { line, column: indent + 1 } };
}

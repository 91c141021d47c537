import { isScalar, isSeq, type Node, Scalar } from 'yaml';
import { didYouMean } from '../config/near.ts';
import {
  type Declaration,
  type FilePosition,
  nameFault,
  type Problem,
  type ProtocolInput,
  type ProtocolOutput,
  type StepDeclaration,
  shown,
  warningAt,
} from './protocol.ts';
import { readStepKey } from './references.ts';
import { type Field, YamlSource } from './yaml-source.ts';

/** A parsed file. Its problems say what is missing from the declaration. */
export interface ParsedProtocol {
  declaration: Declaration;
  problems: Problem[];
}

const FIELDS = ['name', 'description', 'extends', 'inputs', 'outputs', 'steps'];

/** Reads the text of one file. `name` applies if the file does not name itself. */
export function parseProtocol(text: string, file: string, name: string): ParsedProtocol {
  const source = new YamlSource(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), file);
  const found = fieldsOf(source);
  const field = (wanted: string) => found.find((each) => each.name === wanted);
  const named = textOf(source, field('name'));
  const declaration: Declaration = {
    name: named ?? name,
    description: textOf(source, field('description')),
    extends: baseOf(source, field('extends')),
    inputs: parseInputs(source, field('inputs')),
    outputs: parseOutputs(source, field('outputs')),
    steps: parseSteps(source, field('steps')),
    at: source.top,
  };
  return { declaration, problems: [...source.problems, ...doubts(found, named, name)] };
}

function fieldsOf(source: YamlSource): Field[] {
  const fields = source.fields(source.root);
  if (!fields && source.problems.length === 0)
    source.fail(source.top, `Not a protocol: it has none of ${FIELDS.join(', ')}.`);
  return fields ?? [];
}

/** Valid, but probably a mistake. */
function doubts(fields: Field[], named: string | null, name: string): Problem[] {
  const unknown = fields.filter((field) => !FIELDS.includes(field.name));
  const other = named !== null && named !== name ? fields.find((field) => field.name === 'name') : undefined;
  return [
    ...unknown.map((field) =>
      warningAt(field.at, `"${field.name}" is not a known field.${didYouMean(field.name, FIELDS)}`),
    ),
    ...(other ? [warningAt(other.at, `The name is "${named}", but the file is called "${name}".`)] : []),
  ];
}

function textOf(source: YamlSource, field: Field | undefined): string | null {
  if (isAbsent(field?.value)) return null;
  if (isScalar(field?.value) && typeof field.value.value === 'string') return field.value.value.trim();
  if (field) source.fail(placeOf(source, field), `"${field.name}" must be a string.`);
  return null;
}

function baseOf(source: YamlSource, field: Field | undefined): Declaration['extends'] {
  if (!field || isAbsent(field.value)) return null;
  const at = placeOf(source, field);
  if (isSeq(field.value)) {
    source.fail(at, '"extends" must name one protocol, not a list.');
    return null;
  }
  const name = textOf(source, field);
  if (name === null) return null;
  const fault = nameFault(name);
  if (fault) source.fail(at, fault);
  return fault ? null : { name, at };
}

function placeOf(source: YamlSource, field: Field): FilePosition {
  return source.place(field.value, field.at);
}

const MAX = 200;

/** One entry of the list `whole.name`. */
interface Entry {
  source: YamlSource;
  fields: Field[];
  whole: Pick<Field, 'name' | 'at'>;
}

/** Null if the file inherits them from the protocol that it extends. */
function parseInputs(source: YamlSource, field: Field | undefined): ProtocolInput[] | null {
  return parseList(source, field, (entry) => ({
    name: text(entry, 'name'),
    type: text(entry, 'type', 'string'),
    optional: flag(entry, 'optional'),
    description: text(entry, 'description', ''),
  }));
}

function parseOutputs(source: YamlSource, field: Field | undefined): ProtocolOutput[] | null {
  return parseList(source, field, (entry) => ({
    value: text(entry, 'value'),
    description: text(entry, 'description', ''),
  }));
}

function parseList<T>(source: YamlSource, field: Field | undefined, read: (entry: Entry) => T): T[] | null {
  if (!field || isAbsent(field.value)) return null;
  const at = source.place(field.value, field.at);
  if (!isSeq(field.value) || field.value.items.length > MAX) {
    source.fail(at, `"${field.name}" must be a list (of at most ${MAX}), null, or absent.`);
    return null;
  }
  return field.value.items.flatMap((item) => {
    const node = source.follow(item as Field['value']);
    const fields = source.fields(node);
    if (fields) return [read({ source, fields, whole: { name: field.name, at: source.place(node, at) } })];
    source.fail(source.place(node, at), `An entry of "${field.name}" must be a mapping.`);
    return [];
  });
}

/** Without `otherwise`, the field is required. */
function text({ source, fields, whole }: Entry, name: string, otherwise?: string): string {
  const field = fields.find((each) => each.name === name);
  if (!field || isAbsent(field.value)) {
    if (otherwise === undefined) source.fail(whole.at, `An entry of "${whole.name}" has no "${name}".`);
    return otherwise ?? '';
  }
  if (isScalar(field.value) && typeof field.value.value === 'string') return field.value.value;
  source.fail(source.place(field.value, field.at), `"${name}" must be a string.`);
  return '';
}

function flag({ source, fields }: Entry, name: string): boolean {
  const field = fields.find((each) => each.name === name);
  if (!field || isAbsent(field.value)) return false;
  if (isScalar(field.value) && typeof field.value.value === 'boolean') return field.value.value;
  source.fail(source.place(field.value, field.at), `"${name}" must be true or false.`);
  return false;
}

/** A mapping from keys to texts, or a plain list, whose entries are steps 1, 2, 3 … */
function parseSteps(source: YamlSource, field: Field | undefined): StepDeclaration[] {
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

/** An author may write nothing, `null` or `~`; all mean the same. */
function isAbsent(node: Node | null | undefined): boolean {
  return !node || (isScalar(node) && node.value === null);
}

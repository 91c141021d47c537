import { isScalar, isSeq } from 'yaml';
import { isAbsent } from './absent.ts';
import type { ProtocolInput, ProtocolOutput } from './protocol.ts';
import type { Field, YamlSource } from './yaml-source.ts';

const MAX = 200;

/** One entry of the list `whole.name`. */
interface Entry {
  source: YamlSource;
  fields: Field[];
  whole: Pick<Field, 'name' | 'at'>;
}

/** Null if the file inherits them from the protocol that it extends. */
export function parseInputs(source: YamlSource, field: Field | undefined): ProtocolInput[] | null {
  return parseList(source, field, (entry) => ({
    name: text(entry, 'name'),
    type: text(entry, 'type', 'string'),
    optional: flag(entry, 'optional'),
    description: text(entry, 'description', ''),
  }));
}

export function parseOutputs(source: YamlSource, field: Field | undefined): ProtocolOutput[] | null {
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

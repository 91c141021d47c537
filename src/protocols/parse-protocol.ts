import { isScalar, isSeq } from 'yaml';
import { didYouMean } from '../config/near.ts';
import { isAbsent } from './absent.ts';
import { parseInputs, parseOutputs } from './parse-fields.ts';
import { parseSteps } from './parse-steps.ts';
import { type Problem, warningAt } from './problem.ts';
import type { Declaration, FilePosition } from './protocol.ts';
import { nameFault } from './protocol-name.ts';
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

import { FermataError } from '../../schema/error.ts';
import type { Answer, Question } from '../../schema/question.ts';
import type { Choice, Field } from './elicitation-field.ts';
import type { FormQuestion, OtherField } from './elicitation-form.ts';
import { joinItems, splitItems } from './joined-items.ts';
import { own } from './record.ts';

/** What a field of a form can hold. */
export type Value = string | number | boolean | string[];

interface Said {
  questionId: string;
  answer: Answer;
  note?: string;
}

/** The values of one answer by field, and its note if no field takes it. */
export function valuesFor(
  { field, other, question }: FormQuestion,
  stored: Question,
  { answer, note }: { answer: Answer; note?: string },
): { values: [string, Value][]; note?: string } {
  const said = Array.isArray(answer) ? answer : [answer];
  if (field.choices.length === 0) {
    const main: [string, Value] = [field.name, textValue(field, question, said)];
    return other ? { values: [main, ...textField(other.name, note)] } : { values: [main], note };
  }

  const chosen = said.flatMap((value) => choiceOf(value, field, stored)?.value ?? []);
  const free = said.filter((value) => !choiceOf(value, field, stored));
  const main = chosenValue(field, chosen);
  if (!other) {
    if (free[0] !== undefined) throw notOffered(field, free[0]);
    return { values: main, note };
  }
  if (other.takes === 'instead')
    return { values: [...main, ...replacing(other, question, said, free, note)] };
  if (field.kind === 'one' && free.length === 0) return { values: [...main, ...textField(other.name, note)] };
  const pointer = other.none === undefined || main.length > 0 ? [] : chosenValue(field, [other.none]);
  return { values: [...main, ...pointer, ...textField(other.name, oneText(question, free))], note };
}

/** The answer to one question from the values of a form; undefined if its fields are empty. */
export function answerIn(
  values: Record<string, unknown>,
  { field, other, question }: FormQuestion,
): Said | undefined {
  const chosen = textsOf(field.name, own(values, field.name)).map((value) => labelOf(value, field));
  const text = other ? textsOf(other.name, own(values, other.name)).join('\n') : '';
  if (field.choices.length === 0) {
    const said = answer(question, question.multi ? chosen.flatMap(splitItems) : chosen);
    return said && text !== ''
      ? { ...said, note: text }
      : (said ?? answer(question, text === '' ? [] : [text]));
  }
  if (!other || text === '') return answer(question, chosen);

  const free = question.multi ? splitItems(text) : [text];
  const picked = chosen.filter((label) => label !== other.none);
  if (other.takes === 'instead' || picked.length === 0) return answer(question, free);
  if (question.multi) return answer(question, [...picked, ...free]);
  const said = answer(question, picked);
  return said && { ...said, note: text };
}

function chosenValue(field: Field, chosen: (string | boolean)[]): [string, Value][] {
  const [first] = chosen;
  if (first === undefined) return [];
  return [[field.name, field.kind === 'many' ? chosen.map(String) : first]];
}

/** Such a text field overrides the choice, because free text and notes need all of it. */
function replacing(other: OtherField, question: Question, said: string[], free: string[], note?: string) {
  if (free.length === 0 && !note) return [];
  return textField(other.name, [oneText(question, said), note].filter(Boolean).join('\n'));
}

function textField(name: string, text: string | undefined): [string, Value][] {
  return text ? [[name, text]] : [];
}

function textValue(field: Field, question: Question, said: string[]): Value {
  const text = oneText(question, said);
  if (field.kind === 'text') return text;
  const number = Number(text);
  const fits = field.kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
  if (fits && text.trim() !== '') return number;
  const kind = field.kind === 'integer' ? 'a whole number' : 'a number';
  throw new FermataError(
    'invalid',
    `Elicitation, field ${field.name}: it takes ${kind}, not "${text.slice(0, 100)}".`,
  );
}

function oneText(question: Question, said: string[]): string {
  return question.multi || said.length > 1 ? joinItems(said) : (said[0] ?? '');
}

/** A stored label may have been redacted; its position in the list identifies the choice. */
function choiceOf(value: string, field: Field, stored: Question): Choice | undefined {
  const byLabel = field.choices.find((choice) => choice.label === value);
  if (byLabel || stored.options?.length !== field.choices.length) return byLabel;
  return field.choices[stored.options.findIndex((option) => option.label === value)];
}

function labelOf(value: string, field: Field): string {
  return field.choices.find((choice) => String(choice.value).trim() === value)?.label ?? value;
}

function textsOf(name: string, value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value ?? ''];
  return values
    .map((item) => {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
        return String(item).trim();
      throw new FermataError(
        'invalid',
        `Elicitation result, field content.${name.slice(0, 100)}: expected a string or a list of strings.`,
      );
    })
    .filter((text) => text !== '');
}

function answer({ id, multi }: Question, values: string[]): Said | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.length > 1 && !multi) {
    throw new FermataError(
      'invalid',
      `Elicitation result, question ${id}: it takes one answer, not ${values.length}.`,
    );
  }
  return { questionId: id, answer: multi ? values : first };
}

function notOffered(field: Field, value: string): FermataError {
  const labels = field.choices.map((choice) => choice.label).join(', ');
  return new FermataError(
    'invalid',
    `Elicitation, field ${field.name}: "${value.slice(0, 100)}" is not offered. Choose from: ${labels}.`,
  );
}

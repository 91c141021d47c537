import { type Document, isMap, isScalar, type LineCounter, type Node } from 'yaml';
import type * as z from 'zod';
import { parseYaml, plainValue, type YamlFault } from '../../files/parse-yaml.ts';
import { gateFiles, questionFile } from '../../schema/gate-file.ts';
import type { Notification, ResponseInput } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { readReply } from '../reply.ts';

type FileReading =
  /** The person has not finished yet. */
  | { kind: 'open' }
  | { kind: 'wrong'; problems: YamlFault[] }
  | { kind: 'done'; responses: ResponseInput[]; places: Map<string, YamlFault> };

/** Reads what a person wrote into a notification's file. Nothing counts before `done: true`. */
export function readGateFile(notification: Notification, written: string): FileReading {
  const source = written.replace(/^\uFEFF/, '');
  const parsed = parseYaml(source);
  if ('refused' in parsed) return wrong(`${parsed.refused}.`);
  const { document, lines, faults } = parsed;
  const at = (node: unknown) => placeOf(node as Node | null, lines);
  if (faults.length > 0) {
    if (!isTrue(/^done[ \t]*:[ \t]*(\S*)/m.exec(source)?.[1])) return { kind: 'open' };
    const problems = faults.map((fault) => ({ ...fault, message: `not valid YAML: ${fault.message}` }));
    return { kind: 'wrong', problems };
  }
  if (!isMap(document.contents)) return { kind: 'open' };
  if (!isTrue(document.get('done'))) return { kind: 'open' };
  const schema = notification.gate ? gateFiles[notification.gate.kind] : questionFile;
  const read = plainValue(document);
  if ('refused' in read) return wrong(`${read.refused}.`);
  const checked = schema.safeParse(read.value);
  if (!checked.success) {
    const told = checked.error.issues.slice(0, MAX_LISTED).map(deepest);
    const problems = told.map(({ path, message }) => {
      const [place] = [document.getIn(path, true), keyNode(document, String(path[0] ?? 'done'))].filter(
        Boolean,
      );
      return { ...at(place), message: `${path.join('.') || 'the file'}: ${message}.` };
    });
    return { kind: 'wrong', problems };
  }
  return readAnswers(notification, document, at);
}

/** A problem with the file as a whole. */
const wrong = (message: string): FileReading => ({
  kind: 'wrong',
  problems: [{ line: 1, column: 1, message }],
});

function readAnswers(
  notification: Notification,
  document: Document,
  at: (node: unknown) => Position,
): FileReading {
  const problems: YamlFault[] = [];
  const responses: ResponseInput[] = [];
  const places = new Map<string, YamlFault>();
  for (const question of stillOpen(notification)) {
    const place = at(
      document.get(question.id, true) ?? keyNode(document, question.id) ?? keyNode(document, 'done'),
    );
    places.set(question.id, { ...place, message: '' });
    const answer = answerOf(notification, question, document);
    if (typeof answer === 'string') problems.push({ ...place, message: `${question.id}: ${answer}` });
    else responses.push(answer);
  }
  const known = new Set([...notification.questions.map(({ id }) => id), 'done']);
  for (const { name, key } of keysOf(document)) {
    if (known.has(name)) continue;
    const message = `"${name.slice(0, 60)}" is not a question here. Use one of ${[...known].join(', ')}.`;
    problems.push({ ...at(key), message });
  }
  return problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'done', responses, places };
}

/** The open questions, or all of them if none is open, so that a late answer is told how they were answered. */
function stillOpen({ questions, responses }: Notification): Question[] {
  const open = questions.filter(({ id }) => !responses.some(({ questionId }) => questionId === id));
  return open.length > 0 ? open : questions;
}

/** The response to one question, or what is wrong with it. */
function answerOf(
  notification: Notification,
  question: Question,
  document: Document,
): ResponseInput | string {
  const { id: questionId } = question;
  const text = (...path: string[]) => textAt(document, questionId, ...path);
  const given = (answer: string): ResponseInput =>
    answer === '' ? { questionId, skipped: true } : { questionId, answer };
  switch (fieldOf(notification, question)) {
    case 'verdict': {
      const [yes = '', no = ''] = (question.options ?? []).map(({ label }) => label);
      const changes =
        textAt(document, 'refinements') || textAt(document, 'changes') || approachChanges(document);
      const value = text();
      return given(isTrue(value || 'true') || value === yes ? (changes === '' ? yes : no) : no);
    }
    case 'variant': {
      const isNested = isMap(document.get(questionId, true));
      const decision = isNested ? text('decision') : text();
      const reason = isNested ? text('reason') : '';
      const labels = (question.options ?? []).map(({ label }) => label).join(', ');
      if (decision === '') return `decide on this variant: ${labels}.`;
      return { questionId, answer: decision, ...(reason ? { note: reason } : {}) };
    }
    case 'approach':
      return given(isTrue(text('rejected')) ? 'reject' : text('changes'));
    case 'text':
      return given(text());
    case 'answer': {
      const reply = readReply(text(), question, notification.kind);
      if (reply.kind !== 'answer' && reply.kind !== 'skip') return reply.message;
      return reply.kind === 'skip' ? { questionId, skipped: true } : { questionId, answer: reply.answer };
    }
  }
}

/** A requested change to one of the approaches makes the whole gate unapproved. */
function approachChanges({ contents }: Document): string {
  if (!isMap(contents)) return '';
  return contents.items.map(({ value }) => textIn(value, 'changes')).join('');
}

function textAt(document: Document, ...path: string[]): string {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  return textIn(parent, path.at(-1) ?? '');
}

/** As written: `2.10` is not a number here. The hint at the start of some forms is not an answer. */
function textIn(parent: unknown, key: string): string {
  if (!isMap(parent)) return '';
  const node = parent.get(key, true);
  if (!isScalar(node) || node.value === null) return '';
  const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  return text.replace(/^<!--[^\n]*-->\s*\n/, '').trim();
}

/** The problem with the form that a value has, if several forms are allowed. */
function deepest(issue: z.core.$ZodIssue): Pick<z.core.$ZodIssue, 'path' | 'message'> {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().map(deepest);
  const [best] = inner.sort((a, b) => b.path.length - a.path.length);
  return best && best.path.length > 0 ? { ...best, path: [...issue.path, ...best.path] } : issue;
}

type Position = Pick<YamlFault, 'line' | 'column'>;

function placeOf(node: Node | null | undefined, lines: LineCounter): Position {
  const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function keysOf({ contents }: Document): { name: string; key: unknown }[] {
  if (!isMap(contents)) return [];
  return contents.items.map(({ key }) => ({ name: String(isScalar(key) ? key.value : key), key }));
}

function keyNode(document: Document, wanted: string): unknown {
  return keysOf(document).find(({ name }) => name === wanted)?.key;
}

function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && /^(?:true|yes|on|y)$/i.test(value));
}

/** The form of a question in a file: true or false, a decision about a variant, a review of an approach, a text. */
type Field = 'verdict' | 'variant' | 'approach' | 'text' | 'answer';

/** Texts that every gate of findings has; its other questions are its approaches. */
const general = new Set(['thoughts', 'changes']);

export function fieldOf({ gate }: Pick<Notification, 'gate'>, { id, options }: Question): Field {
  if (!gate) return 'answer';
  if (options) return gate.kind === 'variants' ? 'variant' : 'verdict';
  return gate.kind === 'findings' && !general.has(id) ? 'approach' : 'text';
}

const MARK = '# >> ';
/** Nobody reads more problems at once. */
const MAX_LISTED = 20;

/** The file with the problems listed at its top and `done` reset; everything else stays as the person wrote it. */
export function withProblems(text: string, problems: YamlFault[]): string {
  const bare = withoutRemarks(text);
  const told = problems.slice(0, MAX_LISTED);
  // One remark for each problem and one for what to do, all above the lines that they name.
  const shift = told.length + 1 - (text.split('\n').length - bare.split('\n').length);
  const remarks = told.map(
    ({ line, column, message }) => `line ${line + shift}, column ${column}: ${message.replace(/\s+/g, ' ')}`,
  );
  return withRemarks(notDone(bare), [
    ...remarks,
    'Nothing is lost: correct it, set "done: true" again and save.',
  ]);
}

/** The file of a settled gate, with a note that changes have no effect. */
export function withEnd(text: string, sentence: string): string {
  return withRemarks(withoutRemarks(text), [sentence]);
}

function withRemarks(text: string, remarks: string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = remarks.map((remark) => `${MARK}${remark.replace(/\s+/g, ' ')}`);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return `${mark}${lines.join(end)}${end}${text.slice(mark.length)}`;
}

function withoutRemarks(text: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let rest = text.slice(mark.length);
  while (rest.startsWith(MARK)) rest = rest.slice(rest.indexOf('\n') + 1 || rest.length);
  return mark + rest;
}

function notDone(text: string): string {
  return text.replace(/^(\uFEFF?done[ \t]*:[ \t]*)\S*/m, '$1false');
}

import { counted } from '../../schema/counted.ts';
import type { HumanGate } from '../../schema/gate.ts';
import { limits } from '../../schema/limits.ts';
import type { Question, Verbatim } from '../../schema/question.ts';
import type { TaskEdit } from '../../schema/task.ts';
import { GONE, hide, type Kind, redactByTail } from './hide.ts';
import { namedSecrets } from './named-secrets.ts';
import { ofKnownKind } from './secret-kinds.ts';

const secretName = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS$|API_?KEY|PRIVATE_KEY|FERMATA_KEY)/i;
/** A placeholder in the shape of a secret. */
const filler = /EXAMPLE|your[-_]/;

/** A person approves `verbatim` text, so nothing executable is hidden in it. */
export type Redact = (text: string, kind?: Kind) => string;

/** Makes a function that replaces known patterns of secrets, and the values of secret-looking variables in `env`. */
export function redactor(env: Record<string, string | undefined>): Redact {
  const values = Object.entries(env)
    .filter(([name, value]) => secretName.test(name) && value !== undefined && value.length >= 8)
    .map(([, value]) => value as string)
    .sort((a, b) => b.length - a.length);
  return (text, kind) =>
    kind === 'verbatim'
      ? withoutValues(text, values)
      : redactShapes(values.reduce((clean, value) => clean.replaceAll(value, GONE), text));
}

/** In what a person approves, only the values are hidden, even if the text before them would make a longer secret. */
function withoutValues(text: string, [value, ...others]: string[]): string {
  if (value === undefined) return redactShapes(text, 'verbatim');
  return text
    .split(value)
    .map((part) => withoutValues(part, others))
    .join(GONE);
}

function redactShapes(text: string, kind?: Kind): string {
  let clean = kind === 'verbatim' ? redactKeyLines(text, GONE) : redactKeys(text, GONE);
  clean = hide(clean, { shape: ofKnownKind, isSecret: (found) => !filler.test(found) }, kind);
  for (const named of namedSecrets) clean = hide(clean, named, kind);
  return redactByTail(clean);
}

/** Redacts everything that a person will read of a question, before it is stored. */
export function redactQuestion(question: Question, redact: Redact): Question {
  const clean = (text: string | undefined) => (text === undefined ? undefined : redact(text));
  const { recommended } = question;
  return {
    ...question,
    text: redact(question.text),
    header: clean(question.header),
    context: clean(question.context),
    verbatim: question.verbatim?.map((piece) => redactVerbatim(piece, redact)),
    recommended: Array.isArray(recommended) ? recommended.map((each) => redact(each)) : clean(recommended),
    options: question.options?.map((option) => ({
      ...option,
      label: redact(option.label),
      description: clean(option.description),
      preview: clean(option.preview),
    })),
  };
}

/** A person who approves it must know that part of it is hidden. */
function redactVerbatim({ label, text }: Verbatim, redact: Redact): Verbatim {
  const clean = redact(text, 'verbatim');
  const note = clean === text ? {} : { redactedFrom: text.length };
  return { label: redact(label, 'verbatim'), text: clean, ...note };
}

/** Redacts all texts in a JSON value. */
export function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactAll(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactAll(each, redact)]));
}

export function redactTask<T extends TaskEdit>(task: T, redact: Redact): T {
  const { title, body } = task;
  return {
    ...task,
    ...(title === undefined ? {} : { title: redact(title) }),
    ...(body === undefined ? {} : { body: redact(body) }),
  };
}

/** What a person wrote for an agent; the rest has to stay as it is to be carried out. */
export function redactInput<Input extends object>(input: Input, redact: Redact): Input {
  const clean = Object.entries(input).map(([name, value]) =>
    written.has(name) && typeof value === 'string' ? [name, redact(value)] : [name, value],
  );
  return Object.fromEntries(clean) as Input;
}

const written = new Set(['idea', 'text']);

export function redactGate(gate: HumanGate, redact: Redact): HumanGate {
  return {
    ...gate,
    material: gate.material?.map((piece) => ({
      ...piece,
      title: redact(piece.title),
      text: redactMaterial(piece.text, redact),
    })),
  };
}

/** A person decides by this material, so nothing that is merged is hidden, and its first line says if a secret is. */
function redactMaterial(text: string, redact: Redact): string {
  const clean = redact(text, 'verbatim');
  if (clean === text) return text;
  const note = `Secrets are replaced by ${GONE}; the original has ${counted(text.length, 'character')}.`;
  return `${note}\n\n${clean}`.slice(0, limits.context);
}

const WHOLE =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g;

/**
 * Replaces private keys in prose. A key without an end may be truncated, so the rest of the text is replaced too, with a
 * remark.
 */
function redactKeys(text: string, instead: string): string {
  return text.replace(WHOLE, (found) =>
    /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----$/.test(found)
      ? instead
      : `${instead} (everything after the beginning of a private key: ${counted(found.length, 'character')})`,
  );
}

/** The lines of a complete key, also in a diff. A short last line stays, because it could be a command. */
const LINES =
  /(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)(?:(?:\\n|\r?\n)[ \t+-]{0,16}[A-Za-z0-9+/]{40,}={0,2})+(?=(?:(?:\\n|\r?\n)[ \t+-]{0,16}[A-Za-z0-9+/]{1,39}={0,2})?(?:\\n|\r?\n)[ \t+-]{0,16}-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)/g;

/** Replaces private keys in what a person approves; hides only lines that cannot be anything else. */
const redactKeyLines = (text: string, instead: string) => text.replace(LINES, `$1${instead}`);

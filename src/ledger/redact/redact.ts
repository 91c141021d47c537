import { counted } from '../../schema/counted.ts';
import type { HumanGate } from '../../schema/gate.ts';
import { limits } from '../../schema/limits.ts';
import type { Question, Verbatim } from '../../schema/question.ts';
import type { TaskEdit } from '../../schema/task.ts';
import type { Work } from '../../schema/work-order.ts';
import { redactKeyLines, redactKeys } from './redact-keys.ts';
import { redactLiterals } from './redact-literals.ts';
import { redactWebTokens } from './redact-web-tokens.ts';

const GONE = '[redacted]';
const REDACTED_AFTER_PREFIX = `$1${GONE}`;

/** The beginning of each kind of secret, its pattern, and the replacement. Each pattern takes linear time on any text. */
const secrets: [start: RegExp, shape: RegExp, instead: string][] = [
  [/sk-/, /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{16,}/g, GONE],
  [/gh[pousr]_/, /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}\b/g, GONE],
  [/github_pat_/, /\bgithub_pat_[A-Za-z0-9_]{20,}\b/g, GONE],
  [/glpat-/, /\bglpat-[A-Za-z0-9_-]{16,}/g, GONE],
  [/xox/, /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, GONE],
  [/A[KS]IA/, /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, GONE],
  [/AIza/, /\bAIza[A-Za-z0-9_-]{30,}/g, GONE],
  [/npm_/, /\bnpm_[A-Za-z0-9]{30,}\b/g, GONE],
  [/pypi-/, /\bpypi-[A-Za-z0-9_-]{30,}/g, GONE],
  [/hf_/, /\bhf_[A-Za-z0-9]{30,}\b/g, GONE],
  [/[srp]k_/, /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}\b/g, GONE],
  [/whsec_/, /\bwhsec_[A-Za-z0-9]{16,}/g, GONE],
  [/SG\./, /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, GONE],
  [/ya29\./, /\bya29\.[A-Za-z0-9_-]{20,}/g, GONE],
  [/hvs\./, /\bhvs\.[A-Za-z0-9_-]{20,}/g, GONE],
  [/bearer/, /\b(Bearer\s{1,8})[A-Za-z0-9._~+/-]{16,}=*/g, REDACTED_AFTER_PREFIX],
  // The next two look back from "://" and "=", because looking ahead from every word would cost much more.
  [/:\/\//, /(:\/\/(?<=[a-z0-9+.-]:\/\/)[^\s:/@]{0,200}:)[^\s@/]{1,500}(?=@)/gi, REDACTED_AFTER_PREFIX],
  [
    // `DB_PASSWORD=…`, as in a settings file. A number is not a secret: `MAX_TOKENS=1000000000`.
    /=(?<=(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY)[A-Z0-9_]{0,30}\s{0,3}=)/,
    /(=(?<=(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]{0,30}\s{0,3}=)\s{0,3}["']?)(?!\d+\b|\[redacted\])[^\s"']{8,}/g,
    REDACTED_AFTER_PREFIX,
  ],
];
/** Nearly all texts match none of these beginnings, so they contain no secret. */
const hint = new RegExp(['eyJ', '-----BEGIN', ...secrets.map(([start]) => start.source)].join('|'), 'i');
const secretName = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY)/i;

/** A person approves `verbatim` text, so nothing executable is hidden in it. */
export type Redact = (text: string, kind?: 'verbatim') => string;

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

function redactShapes(text: string, kind?: 'verbatim'): string {
  if (!hint.test(text)) return text;
  let clean = kind === 'verbatim' ? redactKeyLines(text, GONE) : redactKeys(text, GONE);
  for (const [, shape, instead] of secrets) {
    clean = kind === 'verbatim' ? redactLiterals(clean, shape, GONE) : clean.replace(shape, instead);
  }
  return redactWebTokens(clean, GONE);
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
export function redactWork(work: Work, redact: Redact): Work {
  if (work.kind === 'draft') return { ...work, idea: redact(work.idea) };
  if (work.kind === 'conversion') return { ...work, text: redact(work.text) };
  return work;
}

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

import type { HumanGate } from '../schema/gate.ts';
import type { Question } from '../schema/question.ts';
import type { TaskEdit } from '../schema/task.ts';

const GONE = '[redacted]';
const GONE_BEHIND = `$1${GONE}`;

/** How each kind of secret can be told from its beginning, its shape, and what takes its place. */
const secrets: [start: RegExp, shape: RegExp, instead: string][] = [
  [/-----BEGIN/, /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, GONE],
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
  [/eyJ/, /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g, GONE],
  [/bearer/, /\b(Bearer\s+)[A-Za-z0-9._~+/-]{16,}=*/g, GONE_BEHIND],
  [/:\/\//, /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:)[^\s@/]{1,500}(?=@)/gi, GONE_BEHIND],
  [
    // `DB_PASSWORD=…`, as in a file of settings. A number is no secret: `MAX_TOKENS=1000000000`.
    /(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY)[A-Z0-9_]{0,30}\s{0,3}=/,
    /\b((?:[A-Z][A-Z0-9_]{0,60})?(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY)[A-Z0-9_]{0,30}\s{0,3}=\s{0,3}["']?)(?!\d+\b|\[redacted\])[^\s"']{8,}/g,
    GONE_BEHIND,
  ],
];
/** A text in which none begins, as nearly all are, is clean. */
const hint = new RegExp(secrets.map(([start]) => start.source).join('|'), 'i');
const secretName = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY)/i;

export type Redact = (text: string) => string;

/** Makes a function that replaces known shapes of secrets, and the values of secret-looking variables of `env`. */
export function redactor(env: Record<string, string | undefined>): Redact {
  const values = Object.entries(env)
    .filter(([name, value]) => secretName.test(name) && value !== undefined && value.length >= 8)
    .map(([, value]) => value as string)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of values) clean = clean.replaceAll(value, GONE);
    if (!hint.test(clean)) return clean;
    for (const [, shape, instead] of secrets) clean = clean.replace(shape, instead);
    return clean;
  };
}

/** Everything that a person will read of a question is cleaned before it is stored. */
export function redactQuestion(question: Question, redact: Redact): Question {
  const clean = (text: string | undefined) => (text === undefined ? undefined : redact(text));
  const { recommended } = question;
  return {
    ...question,
    text: redact(question.text),
    header: clean(question.header),
    context: clean(question.context),
    recommended: Array.isArray(recommended) ? recommended.map(redact) : clean(recommended),
    options: question.options?.map((option) => ({
      ...option,
      label: redact(option.label),
      description: clean(option.description),
      preview: clean(option.preview),
    })),
  };
}

/** All texts of a value that is made of JSON. */
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

export function redactGate(gate: HumanGate, redact: Redact): HumanGate {
  return {
    ...gate,
    material: gate.material?.map((piece) => ({
      ...piece,
      title: redact(piece.title),
      text: redact(piece.text),
    })),
  };
}

import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { Reason, type ResolveInput, type Response, type ResponseInput } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import { check } from '../check.ts';
import { type FormQuestion, readForm } from './elicitation-form.ts';
import { answerIn, type Value, valuesFor } from './elicitation-values.ts';
import { isRecord } from './record.ts';

/** How a form ends: `accept` with the values of its fields, or without any. */
export interface ElicitationResult {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, Value>;
  _meta?: Record<string, unknown>;
}

/** Questions and their responses. A notification is one. */
export interface AnsweredForm {
  questions?: readonly Question[];
  responses: readonly (Response | ResponseInput)[];
}

/**
 * The result of a form from a person's responses: `cancel` if a required field has no answer, `decline` if a required
 * field was skipped or everything was dismissed, otherwise `accept`.
 */
export function toElicitationResult(form: unknown, answered: AnsweredForm): ElicitationResult {
  return resultOfForm(readForm(form, ''), answered);
}

/** Like `toElicitationResult`, for a form that is already read. */
export function resultOfForm(asked: FormQuestion[], answered: AnsweredForm): ElicitationResult {
  const { responses } = answered;
  refuseUnasked(responses, asked);
  const content: [string, Value][] = [];
  const beside: Beside[] = [];
  for (const item of asked) {
    const response = responseTo(item, responses);
    if (!response) continue;
    const { questionId } = response;
    if ('answer' in response) {
      const stored = answered.questions?.find(({ id }) => id === questionId);
      const { values, note } = valuesFor(item, stored ?? item.question, response);
      content.push(...values);
      if (note) beside.push({ questionId, note });
    } else {
      beside.push(
        'reason' in response
          ? { questionId, dismissed: true, reason: response.reason }
          : { questionId, skipped: true },
      );
    }
  }
  const filled = new Set(content.map(([name]) => name));
  const empty = asked.filter(
    ({ field, other }) => field.required && !filled.has(field.name) && !filled.has(other?.name ?? field.name),
  );
  if (responses.length === 0 || empty.some((item) => !responseTo(item, responses)))
    return { action: 'cancel' };
  const dismissed = beside.find((response) => 'dismissed' in response);
  if (empty.length > 0 || (dismissed && filled.size === 0)) {
    return { action: 'decline', ...(dismissed ? { _meta: { [REASON_KEY]: dismissed.reason } } : {}) };
  }
  const _meta = beside.length > 0 ? { _meta: { [RESPONSES_KEY]: beside } } : {};
  return { action: 'accept', content: Object.fromEntries(content), ..._meta };
}

/**
 * A person's responses from the result of a form: `decline` dismisses, `cancel` is not an answer (undefined: it stays
 * open), and an empty field has no response.
 */
export function fromElicitationResult(form: unknown, result: unknown): ResolveInput | undefined {
  const { action, content, _meta } = check(Result, result, WHAT);
  const meta = isRecord(_meta) ? _meta : {};
  if (action === 'cancel') return undefined;
  if (action === 'decline')
    return { dismissed: true, reason: Reason.safeParse(meta[REASON_KEY]).data ?? DECLINED };
  const asked = readForm(form, '');
  const values = content ?? {};
  refuseUnknownFields(values, asked);
  const beside = check(
    z.array(Beside).max(limits.questions),
    meta[RESPONSES_KEY] ?? [],
    `${WHAT}._meta.${RESPONSES_KEY}`,
  );
  const responses = asked.flatMap((item): ResponseInput[] => {
    const said = answerIn(values, item);
    const more = beside.find(({ questionId }) => questionId === item.question.id);
    if (said) return [more && 'note' in more ? { ...said, note: more.note } : said];
    return more && !('note' in more) ? [more] : [];
  });
  return responses.length > 0 ? { responses } : undefined;
}

const WHAT = 'Elicitation result';
const DECLINED = 'Declined in the form.';
/** The key in `_meta` of the result for what its form has no field for. */
const RESPONSES_KEY = 'fermata/responses';
const REASON_KEY = 'fermata/reason';

const Result = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.custom<Record<string, unknown>>(isRecord, 'expected an object').nullish(),
  _meta: z.unknown().optional(),
});

/** A note that fits no field, and which questions were skipped or dismissed. */
const Beside = z.union([
  z.strictObject({ questionId: z.string(), note: z.string().min(1).max(limits.note) }),
  z.strictObject({ questionId: z.string(), skipped: z.literal(true) }),
  z.strictObject({ questionId: z.string(), dismissed: z.literal(true), reason: Reason }),
]);
type Beside = z.infer<typeof Beside>;

function responseTo({ question }: FormQuestion, responses: AnsweredForm['responses']) {
  return responses.find(({ questionId }) => questionId === question.id);
}

function refuseUnasked(responses: AnsweredForm['responses'], asked: FormQuestion[]): void {
  const ids = new Set(asked.map(({ question }) => question.id));
  const wrong = responses.find(({ questionId }) => !ids.has(questionId));
  if (wrong)
    throw new FermataError('invalid', `Elicitation: this form has no question "${wrong.questionId}".`);
}

function refuseUnknownFields(values: Record<string, unknown>, asked: FormQuestion[]): void {
  const known = new Set(asked.flatMap(({ field, other }) => [field.name, other?.name]));
  const wrong = Object.keys(values).find((name) => !known.has(name));
  if (wrong === undefined) return;
  throw new FermataError(
    'invalid',
    `${WHAT}, field content.${wrong.slice(0, 100)}: the form has no such field.`,
  );
}

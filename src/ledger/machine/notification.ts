import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type {
  Notification,
  Outcome,
  ResolveInput,
  Response,
  ResponseInput,
  Status,
} from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { blankIn } from '../named-option.ts';
import { refuseWrongDecision } from './gate.ts';

/** Something that is asked of a notification. Time and actor come in as data. */
export type Command =
  | { kind: 'resolve'; input: ResolveInput; by: By; at: string }
  | { kind: 'withdraw'; reason: string; by: By; at: string }
  | { kind: 'supersede'; supersededBy: string; reason: string; by: By; at: string }
  | { kind: 'deadline'; at: string }
  | { kind: 'deliver'; at: string };

/** What became of it. A repeat changes nothing and is no error. */
export type Verdict =
  | { kind: 'changed'; next: Notification; resolved: boolean; added: Response[] }
  | { kind: 'repeat' };

/** Decides what a command does to a notification; throws a FermataError where it is refused. */
export function decide(current: Notification, command: Command): Verdict {
  switch (command.kind) {
    case 'resolve':
      return resolve(current, command.input, command.by, command.at);
    case 'withdraw':
      return end(current, 'withdrawn', command, { reason: command.reason });
    case 'supersede':
      return end(current, 'superseded', command, {
        reason: command.reason,
        supersededBy: command.supersededBy,
      });
    case 'deadline':
      return deadline(current, command.at);
    case 'deliver':
      return deliver(current, command.at);
    default: {
      const never: never = command;
      return never;
    }
  }
}

/** True once nobody can answer any more. */
export function isFinal(status: Status): boolean {
  return status !== 'open';
}

function resolve(current: Notification, input: ResolveInput, by: By, at: string): Verdict {
  if (by.actor.kind === 'agent') {
    throw new FermataError(
      'forbidden',
      'An agent may ask but not answer. A person has to answer this question.',
    );
  }
  const refusal = gone(current);
  if (refusal) throw refusal;
  if ('dismissed' in input) return dismiss(current, input.reason, by, at);
  const wanted = 'approved' in input ? approval(current, input) : checked(current, input.responses);
  const fresh = wanted.filter((response) => isNew(current, response));
  refuseWrongDecision(current, fresh);
  const added = fresh.map((r) => stamped(r, by, at));
  if (added.length === 0) return { kind: 'repeat' };
  const responses = [...current.responses, ...added];
  const done = current.questions.every((q) => responses.some((r) => r.questionId === q.id));
  if (!done) return { kind: 'changed', next: { ...current, responses }, resolved: false, added };
  const outcome = outcomeOf(responses);
  return {
    kind: 'changed',
    next: { ...current, responses, status: outcome, outcome, resolvedAt: at, resolvedBy: by },
    resolved: true,
    added,
  };
}

function dismiss(current: Notification, reason: string, by: By, at: string): Verdict {
  if (current.outcome === 'declined') return { kind: 'repeat' };
  if (isFinal(current.status)) throw conflict(current);
  const added = current.questions
    .filter((q) => !current.responses.some((r) => r.questionId === q.id))
    .map((q): Response => ({ questionId: q.id, kind: 'dismissed', reason, by, at }));
  return {
    kind: 'changed',
    next: {
      ...current,
      responses: [...current.responses, ...added],
      status: 'declined',
      outcome: 'declined',
      reason,
      resolvedAt: at,
      resolvedBy: by,
    },
    resolved: true,
    added,
  };
}

function end(
  current: Notification,
  outcome: 'withdrawn' | 'superseded',
  how: { by: By; at: string },
  fields: { reason: string; supersededBy?: string },
): Verdict {
  if (current.outcome === outcome) return { kind: 'repeat' };
  if (current.status === 'recorded') {
    throw new FermataError(
      'invalid',
      `Notification ${current.id} is a notice: there is nothing to take back.`,
    );
  }
  if (isFinal(current.status)) throw conflict(current);
  const next = { ...current, ...fields, status: outcome, outcome, resolvedAt: how.at, resolvedBy: how.by };
  return { kind: 'changed', next, resolved: true, added: [] };
}

/** Applies the policy of a notification whose deadline has passed. Without one, silence changes nothing. */
function deadline(current: Notification, at: string): Verdict {
  if (isFinal(current.status) || current.deadlineAt === undefined || at < current.deadlineAt) {
    return { kind: 'repeat' };
  }
  const { policy } = current;
  const by: By = { actor: { kind: 'policy', name: policy.kind }, channel: 'ledger' };
  const left = current.questions.filter((q) => !current.responses.some((r) => r.questionId === q.id));
  switch (policy.kind) {
    case 'wait':
      return { kind: 'repeat' };
    case 'remind': {
      const next = Date.parse(current.deadlineAt) + policy.after * 1000;
      const after = Math.max(next, Date.parse(at) + 1);
      return {
        kind: 'changed',
        next: { ...current, deadlineAt: new Date(after).toISOString() },
        resolved: false,
        added: [],
      };
    }
    case 'default':
      return resolve(
        current,
        { responses: left.map((q) => ({ questionId: q.id, answer: policy.answers[q.id] ?? '' })) },
        by,
        at,
      );
    case 'skip':
      return resolve(
        current,
        { responses: left.map((q) => ({ questionId: q.id, skipped: true as const })) },
        by,
        at,
      );
    case 'fail': {
      const reason = `Nobody answered within ${policy.after} s, and the question's policy is to fail.`;
      return {
        kind: 'changed',
        next: { ...current, status: 'expired', outcome: 'expired', reason, resolvedAt: at, resolvedBy: by },
        resolved: true,
        added: [],
      };
    }
    default: {
      const never: never = policy;
      return never;
    }
  }
}

function deliver(current: Notification, at: string): Verdict {
  if (current.status === 'delivered') return { kind: 'repeat' };
  if (!isFinal(current.status) || current.status === 'recorded') {
    throw new FermataError(
      'invalid',
      `Notification ${current.id} is ${current.status}: there is nothing to deliver yet.`,
    );
  }
  return {
    kind: 'changed',
    next: { ...current, status: 'delivered', deliveredAt: at },
    resolved: false,
    added: [],
  };
}

/** Why it takes no answer at all any more, if so. */
function gone(current: Notification): FermataError | undefined {
  if (current.status === 'recorded') {
    return new FermataError('invalid', `Notification ${current.id} is a notice: it needs no answer.`);
  }
  const { outcome } = current;
  if (outcome !== 'withdrawn' && outcome !== 'superseded' && outcome !== 'expired') return undefined;
  const instead = current.supersededBy ? ` Answer ${current.supersededBy} instead.` : '';
  return new FermataError(
    'gone',
    `Question ${current.id} was ${outcome}: ${current.reason ?? 'no reason given'}${endsInStop(current.reason) ? '' : '.'}${instead}`,
    { details: { outcome, reason: current.reason ?? null, supersededBy: current.supersededBy ?? null } },
  );
}

const endsInStop = (text: string | undefined) => text !== undefined && /[.!?]$/.test(text);

/** The same responses with everything normalised, or an error that names the question and what to give. */
function checked(current: Notification, responses: ResponseInput[]): ResponseInput[] {
  const seen = new Set<string>();
  return responses.map((response) => {
    const question = current.questions.find((q) => q.id === response.questionId);
    if (!question) {
      const known = current.questions.map((q) => q.id).join(', ');
      throw new FermataError(
        'invalid',
        `Notification ${current.id} has no question "${response.questionId}". Its questions are: ${known}.`,
      );
    }
    if (seen.has(question.id)) {
      throw new FermataError('invalid', `Question "${question.id}" is answered twice in one request.`);
    }
    seen.add(question.id);
    if (!('answer' in response)) return response;
    if (response.standing) refuseStanding(current);
    return { ...response, answer: normalAnswer(current, question, response.answer) };
  });
}

/** What was approved or let pass once says nothing about the next time. */
function refuseStanding({ source }: Notification): void {
  if (source !== 'gate' && source !== 'approval') return;
  const what = source === 'gate' ? 'a gate' : 'an approval';
  throw new FermataError('invalid', `An answer to ${what} cannot stand for the next time.`);
}

function normalAnswer(current: Notification, question: Question, answer: Answer): Answer {
  const values = (Array.isArray(answer) ? answer : [answer]).map((value) => value.trim());
  if (values.some((value) => value === '')) {
    throw new FermataError(
      'invalid',
      `The answer to "${question.id}" is empty. Give a value, or skip the question.`,
    );
  }
  if (values.length > 1 && !question.multi) {
    throw new FermataError(
      'invalid',
      `Question "${question.id}" takes one answer, but ${values.length} were given.`,
    );
  }
  refuseBlank(question, values);
  const labels = values.map((value) => labelOf(question, value));
  if (current.source === 'approval' && question.options) {
    const allowed = question.options.map((o) => o.label);
    const wrong = labels.find((label) => !allowed.includes(label));
    if (wrong !== undefined) {
      throw new FermataError(
        'invalid',
        `"${wrong}" is no answer to an approval. Answer with ${allowed.join(' or ')}.`,
      );
    }
  }
  return question.multi ? [...new Set(labels)] : (labels[0] ?? '');
}

function refuseBlank({ id: questionId, options = [] }: Question, values: string[]): void {
  const blank = blankIn(options, values);
  if (!blank) return;
  const details = { blank: { questionId, option: blank.label } };
  throw new FermataError('invalid', blank.message, { details });
}

/** An option may be named by its id; what is stored is its label, which is what the asker knows. */
function labelOf(question: Question, value: string): string {
  const option =
    question.options?.find((o) => o.label === value) ?? question.options?.find((o) => o.id === value);
  return option ? option.label : value;
}

function approval(current: Notification, input: { approved: boolean; comment?: string }): ResponseInput[] {
  if (current.source !== 'approval') {
    throw new FermataError(
      'invalid',
      `Notification ${current.id} is no approval. Answer its questions: ${current.questions.map((q) => q.id).join(', ')}.`,
    );
  }
  return current.questions.map((question) => ({
    questionId: question.id,
    answer: labelOf(question, input.approved ? 'approve' : 'reject'),
    ...(input.comment ? { note: input.comment } : {}),
  }));
}

function isNew(current: Notification, response: ResponseInput): boolean {
  const stored = current.responses.find((r) => r.questionId === response.questionId);
  if (!stored) {
    if (isFinal(current.status)) throw conflict(current);
    return true;
  }
  if (!same(stored, response)) throw conflict(current, stored);
  return false;
}

function same(stored: Response, given: ResponseInput): boolean {
  if (stored.kind === 'answered') {
    return 'answer' in given && sameAnswer(stored.answer, given.answer);
  }
  return stored.kind === 'skipped' ? 'skipped' in given : 'dismissed' in given;
}

function sameAnswer(a: Answer, b: Answer): boolean {
  const [left, right] = [a, b].map((x) => (Array.isArray(x) ? [...x].sort() : [x]));
  return JSON.stringify(left) === JSON.stringify(right);
}

function stamped(response: ResponseInput, by: By, at: string): Response {
  const given = { questionId: response.questionId, by, at };
  if ('skipped' in response) return { ...given, kind: 'skipped' };
  if ('dismissed' in response) return { ...given, kind: 'dismissed', reason: response.reason };
  const { answer, note, standing } = response;
  return {
    ...given,
    kind: 'answered',
    answer,
    ...(note ? { note } : {}),
    ...(standing ? { standing } : {}),
  };
}

function outcomeOf(responses: Response[]): Outcome {
  if (responses.some((r) => r.kind === 'answered')) return 'answered';
  return responses.some((r) => r.kind === 'dismissed') ? 'declined' : 'skipped';
}

/** The error that says how a notification was settled, for one who came too late. */
export function tooLate(current: Notification): FermataError {
  return gone(current) ?? conflict(current);
}

/** The refusal of a second, different answer: it names who won that question, when and with what. */
function conflict(current: Notification, stored?: Response): FermataError {
  const by = stored?.by ?? current.resolvedBy;
  const at = stored?.at ?? current.resolvedAt;
  const who = by
    ? `${by.actor.kind === 'policy' ? 'policy ' : ''}${by.actor.name} (${by.channel})`
    : 'somebody';
  const what = current.responses.map(describe).join('; ') || current.outcome;
  return new FermataError(
    'conflict',
    `Question ${current.id} was already settled by ${who} at ${at}: ${what}.`,
    {
      details: {
        outcome: current.outcome ?? null,
        by: by ?? null,
        at: at ?? null,
        responses: current.responses,
        reason: current.reason ?? null,
      },
    },
  );
}

function describe(response: Response): string {
  if (response.kind !== 'answered') return `${response.questionId} ${response.kind}`;
  const value = Array.isArray(response.answer) ? response.answer.join(', ') : response.answer;
  return `${response.questionId} = ${value.length > 200 ? `${value.slice(0, 200)}…` : value}`;
}

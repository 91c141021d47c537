import type { By } from '../../schema/actor.ts';
import { defaultAnswer } from '../../schema/default-answer.ts';
import { FermataError } from '../../schema/error.ts';
import type {
  Notification,
  Outcome,
  ResolveInput,
  Response,
  ResponseInput,
  Status,
} from '../../schema/notification.ts';
import { refuseWrongDecision } from './gate.ts';
import { approvalResponses, checkedResponses, isSame } from './responses.ts';
import { conflict, gone } from './too-late.ts';

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
  const wanted =
    'approved' in input ? approvalResponses(current, input) : checkedResponses(current, input.responses);
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
        {
          responses: left.map((q) => ({
            questionId: q.id,
            answer: defaultAnswer(policy.answers, q.id) ?? '',
          })),
        },
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

function isNew(current: Notification, response: ResponseInput): boolean {
  const stored = current.responses.find((r) => r.questionId === response.questionId);
  if (!stored) {
    if (isFinal(current.status)) throw conflict(current);
    return true;
  }
  if (!isSame(stored, response)) throw conflict(current, stored);
  return false;
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

import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { defaultAnswer } from '../../schema/default-answer.ts';
import { FermataError } from '../../schema/error.ts';
import { isApproval, isQuestion, isServerForm } from '../../schema/is-question.ts';
import type {
  AmendInput,
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

/** A command to a notification. Time and actor are passed in as data. */
export type Command =
  | { kind: 'resolve'; input: ResolveInput; by: By; at: string }
  | { kind: 'amend'; input: AmendInput; by: By; at: string }
  | { kind: 'accept'; by: By; at: string }
  | { kind: 'withdraw'; reason: string; by: By; at: string }
  /** An approval that was answered but never reached its asker. */
  | { kind: 'lapse'; reason: string; by: By; at: string }
  | { kind: 'supersede'; supersededBy: string; reason: string; by: By; at: string }
  | { kind: 'deadline'; at: string }
  | { kind: 'deliver'; at: string };

/** The result. A repeat changes nothing and is not an error. */
export type Transition =
  | { kind: 'changed'; next: Notification; resolved: boolean; added: Response[] }
  | { kind: 'repeat' };

/** Decides what a command does to a notification; throws a FermataError if it is refused. */
export function decide(current: Notification, command: Command): Transition {
  switch (command.kind) {
    case 'resolve':
      return resolve(current, command.input, command.by, command.at);
    case 'amend':
      return amend(current, command.input, command.by, command.at);
    case 'accept':
      return accept(current, command.by, command.at);
    case 'withdraw':
      return end(current, 'withdrawn', command, { reason: command.reason });
    case 'lapse':
      return lapse(current, command);
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

function resolve(current: Notification, input: ResolveInput, by: By, at: string): Transition {
  refuseAgentsAnswer(by);
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

/**
 * Replaces the answers that were given. Answers that the asker has already received become undelivered again, so that the
 * correction is delivered like an answer; a permission or a gate took effect when it was given.
 */
function amend(current: Notification, input: AmendInput, by: By, at: string): Transition {
  refuseAmendment(current, by);
  const wanted =
    'approved' in input ? approvalResponses(current, input) : checkedResponses(current, input.responses);
  const changed = wanted.filter((given) => !current.responses.some((stored) => isSame(stored, given)));
  if (changed.length === 0) return { kind: 'repeat' };
  const isChanged = ({ questionId }: Response) => changed.some((given) => given.questionId === questionId);
  const kept = current.responses.filter((response) => !isChanged(response));
  refuseWrongDecision({ ...current, responses: kept }, changed);
  const replaced = current.responses.filter(isChanged);
  const added = changed.map((given): Response => {
    const old = replaced.find(({ questionId }) => questionId === given.questionId);
    return { ...stamped(given, by, at), version: (old?.version ?? 1) + 1 };
  });
  const responses = current.responses.map(
    (response) => added.find(({ questionId }) => questionId === response.questionId) ?? response,
  );
  const outcome = outcomeOf(responses);
  const status = current.status === 'delivered' && !isQuestion(current) ? current.status : outcome;
  return {
    kind: 'changed',
    next: {
      ...current,
      responses,
      replaced: [...(current.replaced ?? []), ...replaced],
      status,
      outcome,
      reason: undefined,
      resolvedAt: at,
      resolvedBy: by,
    },
    resolved: false,
    added,
  };
}

function refuseAmendment(current: Notification, by: By): void {
  if (by.actor.kind !== 'person') {
    throw new FermataError('forbidden', 'Only a person may amend an answer.');
  }
  const refusal = gone(current);
  if (refusal) throw refusal;
  if (current.status === 'open') {
    throw new FermataError(
      'conflict',
      `Question ${current.id} is still open. Answer it: ${cmd`answer ${current.id} VALUE`}`,
    );
  }
}

/** Makes the policy that an agent proposed effective. */
function accept(current: Notification, by: By, at: string): Transition {
  refuseAgentsAnswer(by);
  if (isFinal(current.status)) throw gone(current) ?? conflict(current);
  const { proposal, ...rest } = current;
  if (!proposal) {
    if (current.deadlineAt !== undefined) return { kind: 'repeat' };
    throw new FermataError('invalid', `Question ${current.id} has no proposal to accept. Answer it.`);
  }
  const deadlineAt = new Date(Date.parse(at) + Math.ceil(proposal.after * 1000)).toISOString();
  return { kind: 'changed', next: { ...rest, policy: proposal, deadlineAt }, resolved: false, added: [] };
}

function dismiss(current: Notification, reason: string, by: By, at: string): Transition {
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
): Transition {
  if (current.outcome === outcome) return { kind: 'repeat' };
  if (current.status === 'recorded') {
    throw new FermataError(
      'invalid',
      `Notification ${current.id} is a notice, so there is nothing to withdraw.`,
    );
  }
  if (isFinal(current.status)) throw conflict(current);
  const next = { ...current, ...fields, status: outcome, outcome, resolvedAt: how.at, resolvedBy: how.by };
  return { kind: 'changed', next, resolved: true, added: [] };
}

/** Nobody acted on it and nobody will, and its status now says so; the answer stays on record. */
function lapse(current: Notification, how: { reason: string; by: By; at: string }): Transition {
  if (current.status === 'open') return end(current, 'withdrawn', how, { reason: how.reason });
  const isForAgent = isApproval(current) || isServerForm(current);
  const isUnused = isForAgent && current.deliveredAt === undefined && !gone(current);
  if (!isUnused) return { kind: 'repeat' };
  const next = {
    ...current,
    status: 'withdrawn' as const,
    outcome: 'withdrawn' as const,
    reason: how.reason,
  };
  return { kind: 'changed', next, resolved: false, added: [] };
}

/** Applies the policy of a notification whose deadline has passed. Without one, silence changes nothing. */
function deadline(current: Notification, at: string): Transition {
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

function deliver(current: Notification, at: string): Transition {
  if (current.status === 'delivered') return { kind: 'repeat' };
  if (!isFinal(current.status) || current.status === 'recorded') {
    throw new FermataError(
      'invalid',
      `Notification ${current.id} is ${current.status}, so there is nothing to deliver yet.`,
    );
  }
  return {
    kind: 'changed',
    next: { ...current, status: 'delivered', deliveredAt: at },
    resolved: false,
    added: [],
  };
}

function refuseAgentsAnswer({ actor }: By): void {
  if (actor.kind !== 'agent') return;
  throw new FermataError(
    'forbidden',
    'An agent may ask but not answer. A person has to answer this question.',
  );
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

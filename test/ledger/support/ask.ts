import { expect } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import { FermataError } from '../../../src/schema/error.ts';
import type { Event } from '../../../src/schema/event.ts';
import type { CreateInput, Notification, ResolveInput } from '../../../src/schema/notification.ts';
import type { Answer } from '../../../src/schema/question.ts';
import { coder } from './people.ts';

/** Asks through the ledger; the default is an ordinary question of a plan. */
export async function ask(
  ledger: Ledger,
  project: string,
  given: Partial<CreateInput> = {},
  by: By = coder,
): Promise<Notification> {
  const input: CreateInput = {
    projectId: project,
    source: 'plan',
    sourceId: 'plan-1',
    questions: [{ id: 'q1', text: 'Which database?' }],
    ...given,
  };
  return (await ledger.notifications.create(input, by)).notification;
}

/** A question that a task asks while it is worked on. */
export function askFor(
  ledger: Ledger,
  project: string,
  task: string,
  given: Partial<CreateInput> = {},
  by: By = coder,
): Promise<Notification> {
  return ask(ledger, project, { source: 'execute', sourceId: task, ...given }, by);
}

/** The body that answers questions by their ids, `answers({ q1: 'yes' })`; `standing` makes them standing answers. */
export function answers(given: Record<string, Answer>, standing = false): ResolveInput {
  const stands = standing ? { standing } : {};
  return {
    responses: Object.entries(given).map(([questionId, answer]) => ({ questionId, answer, ...stands })),
  };
}

/** The refusal of something that must not be accepted. */
export async function refusal(attempt: Promise<unknown>): Promise<FermataError> {
  const outcome = await attempt.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome) throw new Error(`It was accepted: ${JSON.stringify(outcome.value)}`);
  if (!(outcome.error instanceof FermataError)) throw outcome.error;
  return outcome.error;
}

/** Expects the failure that `whileFailing` injects. */
export async function fails(attempt: Promise<unknown>): Promise<void> {
  const error = await attempt.then(
    () => new Error('It was accepted.'),
    (reason: Error) => reason,
  );
  // Until its stack is read, an error holds what its frames refer to: a statement, and with it the open file.
  expect(`${error.message}${error.stack?.slice(0, 0)}`).toContain('injected');
}

/** Everything that happened in a project, oldest first. */
export async function history(ledger: Ledger, project: string): Promise<Event[]> {
  return ledger.events.list(project, 0, 100_000);
}

/** The events of one type, as such. */
export const ofType = <T extends Event['type']>(events: Event[], type: T) =>
  events.filter((event): event is Extract<Event, { type: T }> => event.type === type);

export async function eventTypes(ledger: Ledger, project: string, after = 0): Promise<string[]> {
  return (await ledger.events.list(project, after)).map((event) => event.type);
}

export async function lastEvent(ledger: Ledger, project: string): Promise<number> {
  return (await ledger.projects.get(project)).lastEvent;
}

export const readyIds = async (ledger: Ledger, project: string) =>
  (await ledger.tasks.ready(project)).map((task) => task.id);

import type { By } from '../../schema/actor.ts';
import type { HilConfig } from '../../schema/autonomy.ts';
import { endsInBlank } from '../../schema/blank.ts';
import { defaultAnswer } from '../../schema/default-answer.ts';
import { FermataError } from '../../schema/error.ts';
import { isPersonal } from '../../schema/is-question.ts';
import type { Notification, NotificationKind, Policy } from '../../schema/notification.ts';
import type { Option, Question } from '../../schema/question.ts';
import { levelAlone, levelOf } from '../decisions/autonomy.ts';
import { decide } from './notification-machine.ts';
import { optionNamed } from './questions.ts';

interface Asked {
  kind: NotificationKind;
  policy: Policy | undefined;
}

/** Every reminder goes to a person's phone. */
const MIN_PAUSE_SECONDS = 60;

/**
 * What silence leads to. A person's policy takes effect. An agent's policy takes effect if the project lets agents decide
 * all of the questions alone; otherwise it is a proposal.
 */
export function silenceOf(
  { kind, policy = { kind: 'wait' } }: Asked,
  questions: Question[],
  hilConfig: HilConfig,
  by: By,
): Pick<Notification, 'policy' | 'proposal'> {
  const isAgents = by.actor.kind === 'agent';
  if (isAgents && policy.kind === 'remind') refuseFrequentReminders(policy.after);
  if (policy.kind === 'wait' || policy.kind === 'remind') return { policy };
  if (!isAgents) {
    refuseDefaultForApproval(policy, questions, hilConfig);
    return { policy };
  }
  const isAlone = questions.every((question) => levelAlone(kind, question, hilConfig) !== undefined);
  return isAlone ? { policy } : { policy: { kind: 'wait' }, proposal: policy };
}

/** Refuses a policy that could not be applied at its deadline, or that answers what only a person may answer. */
export function refuseImpossiblePolicy({ kind, policy }: Asked, questions: Question[]): void {
  if (!policy) return;
  if (isPersonal({ kind }) && (policy.kind === 'default' || policy.kind === 'skip')) {
    throw new FermataError(
      'invalid',
      `A notification of kind "${kind}" cannot have a default, because a person has to answer it. Ask it without one.`,
    );
  }
  if (policy.kind !== 'default') return;
  for (const { id, options = [] } of questions) {
    const answer = defaultAnswer(policy.answers, id);
    if (answer === undefined)
      throw new FermataError('invalid', `The default policy has no answer for question "${id}". Add one.`);
    const stray = [answer].flat().find((value) => options.length > 0 && !isOffered(options, value.trim()));
    if (stray === undefined) continue;
    const labels = options.map(({ label }) => label).join(', ');
    throw new FermataError(
      'invalid',
      `The default "${stray}" is not one of the options of question "${id}": ${labels}.`,
    );
  }
}

/** Refuses at once a default that could not be applied at the deadline. */
export function refuseImpossibleDefault(notification: Notification, policy: Policy): void {
  const at = notification.createdAt;
  decide({ ...notification, policy, deadlineAt: at }, { kind: 'deadline', at });
}

function isOffered(options: Option[], value: string): boolean {
  const fillsIn = ({ label }: Option) => endsInBlank(label) && value.startsWith(label.slice(0, -1).trim());
  return optionNamed(options, value) !== undefined || options.some(fillsIn);
}

function refuseFrequentReminders(after: number): void {
  if (after >= MIN_PAUSE_SECONDS) return;
  throw new FermataError(
    'invalid',
    `An agent may remind at most every ${MIN_PAUSE_SECONDS} seconds. Set a larger "after" in "policy".`,
  );
}

function refuseDefaultForApproval({ kind }: Policy, questions: Question[], hilConfig: HilConfig): void {
  if (kind === 'fail') return;
  const bound = questions.find(
    ({ category }) => category !== undefined && levelOf(category, hilConfig) === 'requires_approval',
  );
  if (!bound) return;
  throw new FermataError(
    'invalid',
    `Question "${bound.id}" is about ${bound.category}, which requires approval in this project, so it cannot have a default. Ask it without one.`,
  );
}

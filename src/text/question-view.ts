import { askerLine } from '../schema/asker.ts';
import { defaultAnswer } from '../schema/default-answer.ts';
import type { GateMaterial } from '../schema/gate.ts';
import type { EndingPolicy, Notification, Policy } from '../schema/notification.ts';
import type { Answer, Option, Question, Verbatim } from '../schema/question.ts';
import { describeLimit } from './duration.ts';

/**
 * What a person is shown of a notification, the same on every surface. Texts are as the asker wrote them: each surface
 * makes invisible characters visible and bounds the size in its own way.
 */
export interface NotificationView {
  /** Where it comes from and what it holds up. */
  asker: string;
  questions: QuestionView[];
  /** What the agent proposes in case nobody answers. */
  proposal?: string;
}

export interface QuestionView {
  id: string;
  header?: string;
  text: string;
  context?: string;
  options: OptionView[];
  /** By the labels of the options. */
  recommended?: Answer;
  multi: boolean;
  verbatim: readonly Verbatim[];
  /** What to look at before answering: all of it with the first question, its own with each other one. */
  material: (Verbatim & { isDiff: boolean })[];
  /** The earlier answer to the same question. */
  earlier?: string;
  /** What happens if nobody answers, or what brings the answer to a session that was lost; undefined if it just stays open. */
  silence?: string;
}

export interface OptionView extends Option {
  number: number;
  mark?: 'recommended' | 'decided before';
}

export interface Clock {
  /** Seconds in words. */
  duration(seconds: number): string;
  /** If there is one, a deadline is shown as the time that is left. */
  now?: number;
}

export function viewOf(of: Notification, clock: Clock = { duration: describeLimit }): NotificationView {
  return {
    asker: askerLine(of),
    questions: of.questions.map((question) => questionView(of, question, clock)),
    proposal: proposalOf(of, clock),
  };
}

/** One question of the notification. */
export function questionView(
  of: Notification,
  question: Question,
  clock: Clock = { duration: describeLimit },
): QuestionView {
  const { id, header, text, context, options = [], multi = false, verbatim = [], earlier } = question;
  return {
    ...{ id, header, text, context, multi, verbatim },
    options: options.map((option, at) => ({
      ...option,
      number: at + 1,
      ...(isRecommended(question, option)
        ? { mark: isAsBefore(question) ? ('decided before' as const) : ('recommended' as const) }
        : {}),
    })),
    recommended: recommendedIn(question),
    material: materialOf(of, question).map(pieceOf),
    earlier:
      earlier && `Decided before: ${answerWords(earlier.answer)} (${earlier.by}, ${earlier.at.slice(0, 10)})`,
    silence: silenceOf(of, question, clock),
  };
}

export const answerWords = (answer: Answer): string => [answer].flat().join(', ');

/** A recommendation may name an option by its label or its id. */
function isRecommended({ recommended = [] }: Question, { id, label }: Option): boolean {
  return [recommended].flat().some((wanted) => wanted === label || wanted === id);
}

function recommendedIn({ recommended, options = [] }: Question): Answer | undefined {
  const labelOf = (wanted: string) =>
    (options.find(({ label }) => label === wanted) ?? options.find(({ id }) => id === wanted))?.label ??
    wanted;
  return Array.isArray(recommended) ? recommended.map(labelOf) : recommended && labelOf(recommended);
}

/** An earlier decision replaces the asker's recommendation. */
export function isAsBefore({ recommended, earlier }: Question): boolean {
  return earlier !== undefined && String(recommended) === String(earlier.answer);
}

function materialOf({ gate, questions }: Notification, { id }: Question): GateMaterial[] {
  const { material = [] } = gate ?? {};
  if (id === questions[0]?.id) return material;
  return material.filter(({ variant, title }) => variant === id || title === id);
}

function pieceOf({ kind, title, text, variant }: GateMaterial) {
  return { label: variant ? `${variant}: ${title}` : title, text, isDiff: kind === 'diff' };
}

function silenceOf(of: Notification, { id }: Question, clock: Clock): string | undefined {
  const { policy, deadlineAt, resume } = of;
  if (policy.kind === 'wait')
    return resume?.session?.lostAt === undefined
      ? undefined
      : `Its session was interrupted. Your answer reaches it when it continues: ${resumeCommand(resume.agent, resume.sessionId ?? '')}`;
  const left = clock.now !== undefined && deadlineAt !== undefined && Date.parse(deadlineAt) - clock.now;
  const after = clock.duration(left === false ? policy.after : Math.max(0, left / 1000));
  return `If nobody answers within ${after}, ${endOf(policy, id)}.`;
}

/** What a person types to continue a session of their own. */
export const resumeCommand = (agent: string, sessionId: string) => `${agent} --resume ${sessionId}`;

function endOf(policy: Exclude<Policy, { kind: 'wait' }>, questionId: string): string {
  switch (policy.kind) {
    case 'remind':
      return 'you will be reminded';
    case 'default':
      return `the answer will be ${answerWords(defaultAnswer(policy.answers, questionId) ?? [])}`;
    case 'skip':
      return 'the question is skipped and the asker decides';
    case 'fail':
      return 'the question expires';
    default: {
      const never: never = policy;
      return never;
    }
  }
}

function proposalOf({ proposal, questions }: Notification, { duration }: Clock): string | undefined {
  if (!proposal) return undefined;
  return `The agent proposes: if nobody answers within ${duration(proposal.after)}, ${proposedEnd(proposal, questions)}.`;
}

function proposedEnd(proposal: EndingPolicy, questions: readonly Question[]): string {
  switch (proposal.kind) {
    case 'default':
      return `use ${questions.map(({ id }) => answerWords(defaultAnswer(proposal.answers, id) ?? [])).join('; ')}`;
    case 'skip':
      return 'it decides on its own';
    case 'fail':
      return 'it gives up';
    default: {
      const never: never = proposal;
      return never;
    }
  }
}

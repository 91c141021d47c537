import { FermataError } from '../../schema/error.ts';
import { isApproval, isServerForm } from '../../schema/is-question.ts';
import type { Notification, Response, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { blankIn } from './questions.ts';

/** The normalised responses, or an error that names the question and the valid answers. */
export function checkedResponses(current: Notification, responses: ResponseInput[]): ResponseInput[] {
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

/** Yes or no to every question of an approval. */
export function approvalResponses(
  current: Notification,
  input: { approved: boolean; comment?: string },
): ResponseInput[] {
  if (!isApproval(current)) {
    throw new FermataError(
      'invalid',
      `Notification ${current.id} is not an approval. Answer its questions: ${current.questions.map((q) => q.id).join(', ')}.`,
    );
  }
  return current.questions.map((question) => ({
    questionId: question.id,
    answer: labelOf(question, input.approved ? 'approve' : 'reject'),
    ...(input.comment ? { note: input.comment } : {}),
  }));
}

/** Whether it repeats the stored response. */
export function isSame(stored: Response, given: ResponseInput): boolean {
  if (stored.kind === 'answered') {
    return 'answer' in given && sameAnswer(stored.answer, given.answer);
  }
  return stored.kind === 'skipped' ? 'skipped' in given : 'dismissed' in given;
}

/** Whether it is what was recommended with the question, which may name options by their id. */
export function isAsRecommended(question: Question, answer: Answer): boolean {
  const wanted = [question.recommended ?? []].flat().map((value) => labelOf(question, value));
  return sameAnswer([answer].flat(), wanted);
}

function sameAnswer(a: Answer, b: Answer): boolean {
  const [left, right] = [a, b].map((x) => (Array.isArray(x) ? [...x].sort() : [x]));
  return JSON.stringify(left) === JSON.stringify(right);
}

/** An approval or a gate's answer does not apply to the next time. */
function refuseStanding(current: Notification): void {
  const what = onceOnly(current);
  if (what === undefined) return;
  throw new FermataError('invalid', `An answer to ${what} cannot become a standing answer.`);
}

function onceOnly(current: Notification): string | undefined {
  if (isServerForm(current)) return 'a form of an MCP server';
  if (current.kind === 'gate') return 'a gate';
  return isApproval(current) ? 'an approval' : undefined;
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
  if (isApproval(current) && question.options) {
    const allowed = question.options.map((o) => o.label);
    const wrong = labels.find((label) => !allowed.includes(label));
    if (wrong !== undefined) {
      throw new FermataError(
        'invalid',
        `"${wrong}" is not a valid answer to an approval. Answer with ${allowed.join(' or ')}.`,
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

/** An option may be named by its id; we store its label, which is what the asker knows. */
function labelOf(question: Question, value: string): string {
  const option =
    question.options?.find((o) => o.label === value) ?? question.options?.find((o) => o.id === value);
  return option ? option.label : value;
}

import { type AskCall, answeredCall, readCall } from '../../ledger/forms/ask-user-question.ts';
import { type FormQuestion, readForm } from '../../ledger/forms/elicitation-form.ts';
import { resultOfForm } from '../../ledger/forms/elicitation-result.ts';
import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import type { PermissionAsk } from '../driver.ts';
import { answersText, noAnswerText, responseAsText, SKIPPED } from './answer-text.ts';

/** What goes back: the call's own input with the answers, the reason why there are none, or the result of a form. */
export type FormResult = { allow: unknown } | { deny: string } | { result: object };

/** A set of questions in the asker's format. */
export interface Form {
  questions: unknown[];
  reply(settled: Notification): FormResult;
}

/** A call of AskUserQuestion with this input, or a text that says why nobody can be asked. */
export function askForm(input: unknown): Form | string {
  return readable(() => {
    const call = readCall(input, new Date().toISOString());
    const questions = call.asked.map(({ question }) => question);
    return { questions, reply: (settled) => replyTo(call, settled) };
  });
}

/** A form, or a text that says why it cannot be read. */
function readable(read: () => Form): Form | string {
  try {
    const form = read();
    return form.questions.length > 0 ? form : 'None of its questions has any text.';
  } catch (error) {
    if (error instanceof FermataError) return error.message;
    throw error;
  }
}

function replyTo(call: AskCall, settled: Notification): FormResult {
  if (!settled.responses.some(({ kind }) => kind === 'answered')) return { deny: withoutAnswer(settled) };
  try {
    return { allow: answeredCall(call, { ...settled, responses: responsesAsText(settled) }) };
  } catch {
    // This is not the call that was stored, so the agent gets question and answer together as text.
    return { deny: answersText(settled) };
  }
}

/** Claude Code drops a question that has no answer, so the agent gets a text instead. */
function responsesAsText({ questions, responses }: Notification): Response[] {
  const [first] = responses;
  if (!first) return [];
  const { by, at } = first;
  return questions.map(({ id }) => {
    const response = responses.find(({ questionId }) => questionId === id);
    if (response?.kind === 'answered') return response;
    return { kind: 'answered', questionId: id, answer: responseAsText(response), by, at };
  });
}

function withoutAnswer(settled: Notification): string {
  const answers = [...new Set(settled.responses.map(responseAsText))].join('\n');
  if (answers !== '') return answers;
  return settled.outcome === 'skipped' ? SKIPPED : noAnswerText(settled);
}

/** Room in a notification for who asks. */
const MARGIN = 64 * 1024;
/** How much of the raw form is shown if it cannot be displayed. */
const MAX_SHOWN = 64 * 1024;

/** The form of an MCP server. If it cannot be displayed, the person is told so and can only decline it. */
export function elicitationForm(request: unknown): Form {
  const form = readable(() => {
    const asked = readForm(request, new Date().toISOString());
    const questions = fitting(asked.map(({ question }) => question));
    return {
      questions: askedBy(questions, 'MCP server', nameOf(request)),
      reply: (settled) => ({ result: resultOf(asked, settled) }),
    };
  });
  return typeof form === 'string' ? unreadable(request, form) : form;
}

function fitting<T>(questions: T[]): T[] {
  const bytes = Buffer.byteLength(JSON.stringify(questions));
  if (questions.length <= limits.questions && bytes <= limits.notificationBytes - MARGIN) return questions;
  throw new FermataError('invalid', `It is too large: ${questions.length} fields, ${bytes} bytes.`);
}

function unreadable(request: unknown, why: string): Form {
  const text = JSON.stringify(request, null, 2) ?? '';
  const isCut = text.length > MAX_SHOWN;
  const verbatim = [
    { label: 'server', text: nameOf(request) },
    { label: isCut ? 'beginning of the form (JSON)' : 'form (JSON)', text: text.slice(0, MAX_SHOWN) },
    { label: 'why it cannot be shown', text: why },
  ];
  return {
    questions: [{ id: 'form', text: UNREADABLE, verbatim, options: ['Decline'] }],
    reply: ({ responses }) => ({ result: { action: responses.length > 0 ? 'decline' : 'cancel' } }),
  };
}

const UNREADABLE = 'An MCP server asks for something that Fermata cannot show as a form. Decline it?';

function resultOf(asked: FormQuestion[], settled: Notification): object {
  try {
    return resultOfForm(asked, settled);
  } catch {
    return { action: 'cancel' };
  }
}

const nameOf = (request: unknown) => serverOf(request) ?? 'without a name';

/** Used as the tool's name if an MCP server wants a yes or no. */
export const ELICITATION = 'elicitation';

/**
 * What a person sees of an elicitation that no form can answer: one without fields, or one with an address to open. Only
 * yes or no is possible, so it is an approval. Undefined if there are fields to fill in.
 */
export function consentAsked(request: unknown): Pick<PermissionAsk, 'tool' | 'input'> | undefined {
  if (!isRecord(request)) return undefined;
  const { mode, message, url } = request;
  if (mode !== 'url' && hasFields(request)) return undefined;
  const shown = {
    message,
    ...(url === undefined ? {} : { address: url }),
    server: serverOf(request),
  };
  return {
    tool: ELICITATION,
    input: Object.fromEntries(Object.entries(shown).filter(([, value]) => value != null)),
  };
}

/** The server that asks, as named by the agent program. */
function serverOf(request: unknown): string | undefined {
  const { mcp_server_name, serverName = mcp_server_name } = isRecord(request) ? request : {};
  return typeof serverName === 'string' ? serverName : undefined;
}

/** The result for the server. An address has no content to return. */
export function consentResult(request: unknown, allowed: boolean): object {
  if (!allowed) return { action: 'decline' };
  return isRecord(request) && request.mode === 'url'
    ? { action: 'accept' }
    : { action: 'accept', content: {} };
}

function hasFields({ requestedSchema, requested_schema }: JsonRecord): boolean {
  const schema = requestedSchema ?? requested_schema;
  if (schema === undefined || schema === null) return false;
  const properties = isRecord(schema) ? (schema.properties ?? {}) : schema;
  return !isRecord(properties) || Object.keys(properties).length > 0;
}

const MAX_NAME_LENGTH = 500;

/** Questions with the asker's name in front of the text that a person reads. */
export function askedBy(questions: unknown[], kind: 'sub-agent' | 'MCP server', name: string): unknown[] {
  const who = `Asked by ${kind === 'sub-agent' ? 'a' : 'an'} ${kind}: ${name.slice(0, MAX_NAME_LENGTH)}`;
  return questions.map((question) => {
    if (!isRecord(question)) return { text: question, context: who };
    const { context } = question;
    const whole = typeof context === 'string' && context !== '' ? `${who}\n\n${context}` : who;
    return { ...question, context: whole.slice(0, limits.context) };
  });
}

import type { Notification } from '../../schema/notification.ts';
import type { PermissionAsk, Remark } from '../driver.ts';
import { responseAsText } from '../questions/answer-text.ts';
import { answerText, rawQuestions } from '../questions/ask-human.ts';
import { consentAsked, consentResult, elicitationForm } from '../questions/forms.ts';
import { list, record } from '../stream/agent-reader.ts';
import type { PermissionEvent, QuestionEvent } from '../stream/events.ts';

/** The requests of `codex app-server` that a person answers. */
export const method = {
  toolCall: 'item/tool/call',
  userInput: 'item/tool/requestUserInput',
  command: 'item/commandExecution/requestApproval',
  fileChange: 'item/fileChange/requestApproval',
  permissions: 'item/permissions/requestApproval',
  elicitation: 'mcpServer/elicitation/request',
} as const;

/** A request that a person answers with text or options. */
export interface AnswerRequest {
  type: 'answer';
  questions: unknown[];
  answer(settled: Notification): unknown;
  /** The form of a foreign MCP server. */
  elicitation?: true;
  /** The response if the request contains no question. */
  nothing: unknown;
}

/** A request that a person approves or rejects. */
export interface ApprovalRequest {
  type: 'approval';
  ask: Omit<PermissionAsk, 'id'>;
  /** What the request is about, in a few words. */
  what: string;
  decide(allowed: boolean, suggestion: Remark['suggestion']): unknown;
}

/** The suggestion that ends with the process. Codex offers others, but would write them to its settings permanently. */
const FOR_SESSION = 'session';
/** Nobody reads more than this on one line before approving it. */
const MAX_LENGTH = 200;
const NO_QUESTION = 'The call has no questions. Pass "questions", each with a text.';

/** What a question of Codex asks a person, and how Codex expects the answer; undefined for an unknown request. */
export function questionRequest({
  kind,
  place,
  input,
}: QuestionEvent): AnswerRequest | ApprovalRequest | undefined {
  switch (kind) {
    case method.toolCall:
      return ownTool(input, toolResult);
    case method.userInput:
      return {
        type: 'answer',
        questions: rawQuestions(input),
        answer: userInputAnswer,
        nothing: { answers: {} },
      };
    case method.elicitation:
      return place === 'elicitation' ? foreignForm(input) : ownTool(input, formResult);
    default:
      return undefined;
  }
}

/** What Codex asks permission for, and how it expects the decision; undefined for an unknown request. */
export function approvalRequest({
  kind,
  tool,
  input,
  reason,
  request,
}: PermissionEvent): ApprovalRequest | undefined {
  // Other requests already show the reason as part of their input.
  const ask = { tool, input, ...(kind === method.permissions ? { reason } : {}) };
  switch (kind) {
    case method.command: {
      const command = String(record(input).command);
      const what = `\`${command.slice(0, MAX_LENGTH)}\``;
      const isPlain = command.length <= MAX_LENGTH && /^[ -~]+$/.test(command);
      const suggestions = isPlain ? [{ id: FOR_SESSION, effect: `allow ${what} for this session` }] : [];
      return { type: 'approval', ask: { ...ask, suggestions }, what, decide };
    }
    case method.fileChange:
      return { type: 'approval', ask, what: 'the file changes', decide };
    case method.permissions: {
      // Permissions beyond the sandbox, for the rest of the turn.
      const { permissions } = record(request);
      const grant = (allowed: boolean) => ({ permissions: allowed ? permissions : {}, scope: 'turn' });
      return { type: 'approval', ask, what: 'the permissions', decide: grant };
    }
    case method.elicitation:
      return mcpTool(ask, record(record(request)._meta).persist);
    default:
      return undefined;
  }
}

/** A call of our own tool, directly or through our MCP server. */
function ownTool(input: unknown, result: (words: string, isAnswer: boolean) => unknown): AnswerRequest {
  return {
    type: 'answer',
    questions: rawQuestions(input),
    answer: (settled) => result(answerText(settled), true),
    nothing: result(NO_QUESTION, false),
  };
}

const toolResult = (words: string, success: boolean) => ({
  contentItems: [{ type: 'inputText', text: words }],
  success,
});

const formResult = (answer: string) => ({ action: 'accept', content: { answer }, _meta: null });

/** Codex's own format of an answer: arrays, keyed by the ids it gave. */
function userInputAnswer(settled: Notification): { answers: Record<string, { answers: string[] }> } {
  const answers = settled.questions.map((question) => {
    const response = settled.responses.find((each) => each.questionId === question.id);
    const values = response?.kind === 'answered' ? [response.answer].flat() : [responseAsText(response)];
    return [question.id, { answers: values }] as const;
  });
  return { answers: Object.fromEntries(answers) };
}

/** What a foreign MCP server asks a person: a yes or no, or a form. */
function foreignForm(params: unknown): AnswerRequest | ApprovalRequest {
  const consent = consentAsked(params);
  if (consent) {
    const result = (allowed: boolean) => consentResult(params, allowed);
    return { type: 'approval', ask: consent, what: 'this', decide: result };
  }
  const form = elicitationForm(params);
  const nothing = { action: 'cancel' };
  const answer = (settled: Notification) => {
    const reply = form.reply(settled);
    return 'result' in reply ? reply.result : nothing;
  };
  return { type: 'answer', questions: form.questions, answer, elicitation: true, nothing };
}

/** Whether a tool of an MCP server may be used. */
function mcpTool(ask: ApprovalRequest['ask'], persist: unknown): ApprovalRequest {
  const { tool } = ask;
  const effect = `allow this tool of ${tool} for this session`;
  const suggestions = list(persist).includes(FOR_SESSION) ? [{ id: FOR_SESSION, effect }] : [];
  const result = (allowed: boolean, suggestion: Remark['suggestion']) => ({
    action: allowed ? 'accept' : 'decline',
    content: allowed ? {} : null,
    ...(suggestion === FOR_SESSION ? { _meta: { persist: FOR_SESSION } } : {}),
  });
  return { type: 'approval', ask: { ...ask, suggestions }, what: tool, decide: result };
}

function decide(allowed: boolean, suggestion: Remark['suggestion']): { decision: string } {
  if (!allowed) return { decision: 'decline' };
  return { decision: suggestion === FOR_SESSION ? 'acceptForSession' : 'accept' };
}

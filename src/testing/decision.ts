import { ASK_TOOL, questionTexts } from './questions.ts';
import type { Behaviour } from './scenario.ts';
import type { Call, Given } from './session-log.ts';

/** What was decided about a tool call before it ran. */
export type Decision =
  | { kind: 'allowed'; input: Record<string, unknown>; how: 'control' | 'hook' }
  | { kind: 'denied'; message: string }
  /** Denied, and the turn is over. */
  | { kind: 'interrupted' }
  | { kind: 'no_tool'; message: string }
  /** The run ends with the question, and waits to be resumed. */
  | { kind: 'ends' }
  | { kind: 'parked' };

type Fields = Record<string, unknown>;

/** Reads the host's response to `can_use_tool`. */
export function permissionDecision(response: Fields, call: Call, behaviour: Behaviour): Decision {
  if (response.subtype === 'error') return failed(`Error: ${String(response.error)}`);
  const answer = fields(response.response);
  if (answer.behavior === 'allow') {
    if (isFields(answer.updatedInput)) return { kind: 'allowed', input: answer.updatedInput, how: 'control' };
    if (behaviour.newShape) return { kind: 'allowed', input: call.input, how: 'control' };
    return failed('ZodError: [{"expected":"record","code":"invalid_type","path":["updatedInput"]}]');
  }
  if (answer.behavior === 'deny' && typeof answer.message === 'string')
    return answer.interrupt === true ? { kind: 'interrupted' } : { kind: 'denied', message: answer.message };
  return failed(
    answer.behavior === 'deny'
      ? 'ZodError: [{"expected":"string","code":"invalid_type","path":["message"]}]'
      : 'ZodError: [{"code":"invalid_union","path":["behavior"]}]',
  );
}

/** Reads the response of a PreToolUse hook; undefined if it leaves the decision to others. */
export function hookDecision(response: Fields, call: Call, behaviour: Behaviour): Decision | undefined {
  const output = fields(fields(response.response).hookSpecificOutput);
  switch (output.permissionDecision) {
    case 'defer':
      return { kind: 'parked' };
    case 'deny': {
      const prefix = behaviour.newShape ? `PreToolUse:${call.tool} hook error: ` : '';
      const message = `${prefix}${String(output.permissionDecisionReason ?? 'Blocked by hook')}`;
      return { kind: 'denied', message };
    }
    case 'allow': {
      const input = isFields(output.updatedInput) ? output.updatedInput : call.input;
      if (call.tool === ASK_TOOL && !isFields(input.answers)) return undefined;
      return { kind: 'allowed', input, how: 'hook' };
    }
    default:
      return undefined;
  }
}

export interface QuestionResult {
  text: string;
  isError: boolean;
  answers: Given[];
  detail: unknown;
}

/** What the model gets as the result of its question, and which answers count. */
export function questionResult(call: Call, input: Fields, behaviour: Behaviour): QuestionResult {
  if (!Array.isArray(input.questions)) {
    return {
      text: `<tool_use_error>The permission handler returned updatedInput for ${ASK_TOOL} that failed schema validation: the required parameter \`questions\` is missing</tool_use_error>`,
      isError: true,
      answers: [],
      detail: `InputValidationError: permission handler updatedInput failed schema for ${ASK_TOOL}`,
    };
  }
  const given = fields(input.answers);
  const notes = fields(input.annotations);
  // The host may have changed the questions; from here on, its version counts.
  const asked = questionTexts({ ...call, input });
  const answers = asked.flatMap(({ questionId, question }) => {
    const value = given[question];
    if (typeof value !== 'string' && !Array.isArray(value)) return [];
    return [{ questionId, question, answer: String(value) }];
  });
  const parts = asked.flatMap(({ question }) => {
    const answer = answers.find((entry) => entry.question === question)?.answer;
    const note = fields(notes[question]).notes;
    if (answer === undefined && note === undefined) return [];
    const said = answer === undefined ? '(no option selected)' : `"${answer}"`;
    return [`"${question}"=${said}${note === undefined ? '' : ` notes: ${String(note)}`}`];
  });
  return { text: wording(parts, input, behaviour), isError: false, answers, detail: input };
}

function wording(parts: string[], input: Fields, behaviour: Behaviour): string {
  if (parts.length > 0)
    return `Your questions have been answered: ${parts.join(', ')}. You can now continue with these answers in mind.`;
  const lost = behaviour.version === '2.1.29';
  if (typeof input.response === 'string' && !lost) return `The user responded: ${input.response}`;
  return 'The user did not answer the questions.';
}

const failed = (message: string): Decision => ({
  kind: 'denied',
  message: `Tool permission request failed: ${message}`,
});

export const streamClosed = (before: boolean): Decision =>
  failed(before ? 'Error: Tool permission stream closed before response received' : 'Error: Stream closed');

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});

import { isDeepStrictEqual } from 'node:util';
import { offersOf } from '../../agents/claude/permissions.ts';
import { ASK_TOOL } from '../../agents/claude/wire.ts';
import { noAnswerText } from '../../agents/questions/answer-text.ts';
import { askedBy, askForm } from '../../agents/questions/forms.ts';
import {
  noteOf,
  permissionQuestion,
  REFUSED,
  suggestionTaken,
} from '../../agents/questions/permission-question.ts';
import { record } from '../../agents/stream/agent-reader.ts';
import { fromAskUserQuestionAnswers } from '../../ledger/forms/ask-user-question.ts';
import { isRecord } from '../../ledger/forms/record.ts';
import { isApproved } from '../../schema/approval.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Notification } from '../../schema/notification.ts';
import type { DeskOutcome } from '../session.ts';
import type { ToolResult } from './transcript.ts';

/** What Claude Code does with a dialog if a hook decides. */
type Decision =
  | { behavior: 'allow'; updatedInput: unknown; updatedPermissions?: object[] }
  | { behavior: 'deny'; message: string };

/** A dialog of Claude Code: what a person is asked there, and how answers travel in both directions. */
export interface Dialog {
  source: 'execute' | 'approval';
  questions: unknown[];
  decision(settled: Notification): Decision;
  /** Whether the tool's result comes from this answer of the inbox. */
  isFrom(settled: Notification, result: ToolResult): boolean;
  /** What the person did at the desk. */
  atDesk(result: ToolResult): DeskOutcome;
}

export interface DialogInput {
  tool: string;
  input: unknown;
  suggestions?: unknown;
  /** The sub-agent that asks, and where: shown above the question. */
  subAgent?: string | undefined;
  said?: string | undefined;
}

/** The dialog for a use of a tool; undefined if Fermata cannot show it to a person. */
export function dialogOf(asked: DialogInput): Dialog | undefined {
  try {
    return asked.tool === ASK_TOOL ? questionDialog(asked) : permissionDialog(asked);
  } catch (error) {
    if (error instanceof FermataError) return undefined;
    throw error;
  }
}

function questionDialog({ input, subAgent, said }: DialogInput): Dialog | undefined {
  const form = askForm(input);
  if (typeof form === 'string') return undefined;
  const decision = (settled: Notification): Decision => {
    const reply = form.reply(settled);
    if ('allow' in reply) return { behavior: 'allow', updatedInput: reply.allow };
    return { behavior: 'deny', message: 'deny' in reply ? reply.deny : noAnswerText(settled) };
  };
  const told = said === undefined ? form.questions : saidBefore(form.questions, said);
  return {
    source: 'execute',
    questions: subAgent === undefined ? told : askedBy(told, 'sub-agent', subAgent),
    decision,
    isFrom(settled, { isError, text, result }) {
      const ours = decision(settled);
      if (ours.behavior === 'deny') return isError && includes(text, ours.message);
      return isDeepStrictEqual(record(ours.updatedInput).answers, record(result).answers);
    },
    atDesk({ isError, text, result }) {
      if (isError || !isRecord(record(result).answers))
        return { cancelled: /wants to clarify/.test(text) ? CLARIFY : CANCELLED };
      const { answers, annotations } = record(result);
      const given = fromAskUserQuestionAnswers(input, { answers, annotations });
      const ids = form.questions.map((question) => String(record(question).id));
      const skipped = ids.filter((id) => !given.some(({ questionId }) => questionId === id));
      return { answer: { responses: given.filter((each) => 'answer' in each) }, skipped };
    },
  };
}

function permissionDialog({ tool, input, suggestions, subAgent }: DialogInput): Dialog {
  const offers = offersOf({ permission_suggestions: suggestions });
  const ask = {
    id: '',
    tool,
    input,
    suggestions: offers,
    ...(subAgent === undefined ? {} : { asker: subAgent }),
  };
  const decision = (settled: Notification): Decision => {
    const [response] = settled.responses;
    if (!isApproved(response)) return { behavior: 'deny', message: noteOf(settled) ?? REFUSED };
    const taken = suggestionTaken(ask, response);
    const updatedPermissions = offers
      .filter(({ id }) => id === taken)
      .map(({ update }) => ({ ...update, destination: 'session' }));
    return {
      ...{ behavior: 'allow', updatedInput: input },
      ...(updatedPermissions.length > 0 ? { updatedPermissions } : {}),
    };
  };
  return {
    source: 'approval',
    questions: [permissionQuestion(ask)],
    decision,
    isFrom(settled, result) {
      const ours = decision(settled);
      return ours.behavior === 'deny'
        ? result.isError && includes(result.text, ours.message)
        : !isRefused(result);
    },
    atDesk(result) {
      if (!isRefused(result)) return { answer: { approved: true } };
      const [, words] = /the user said:\n([\s\S]+)/.exec(result.text) ?? [];
      return {
        answer: { approved: false, ...(words ? { comment: words.trim().slice(0, limits.note) } : {}) },
      };
    },
  };
}

const CANCELLED = 'Cancelled at the desk.';
const CLARIFY = 'The person wants to talk about it at the desk.';

/** How Claude Code tells the model that a person said no; a tool that failed is an error, too. */
const isRefused = ({ isError, text }: ToolResult) => isError && /^The user doesn't want to/.test(text);

const includes = (text: string, part: string) => text.includes(part.slice(0, 200));

const MAX_SAID = 2000;

/** The questions with what the agent said before them. */
const saidBefore = (questions: readonly unknown[], said: string) =>
  questions.map((question, index) =>
    isRecord(question) && index === 0 ? { ...question, context: said.slice(-MAX_SAID) } : question,
  );

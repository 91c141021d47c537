import type { AskStep, ScriptedQuestion } from './scenario.ts';
import type { Call, Given } from './session-log.ts';

export const ASK_TOOL = 'AskUserQuestion';

/** The tool call of a question step. The scenario's own ids of the questions do not go over the wire. */
export function questionCall(step: AskStep, toolUseId: string, askedBefore: number): Call {
  return {
    toolUseId,
    tool: ASK_TOOL,
    input: { questions: step.questions.map(onTheWire) },
    ...(step.parent === undefined ? {} : { parent: step.parent }),
    questionIds: step.questions.map((question, index) => idOf(question) ?? `Q${askedBefore + index + 1}`),
  };
}

/** The questions of a call with their names, even if a host has sent them back in another form. */
export function questionTexts(call: Call): { questionId: string; question: string }[] {
  const questions: unknown[] = Array.isArray(call.input.questions) ? call.input.questions : [];
  return questions.map((question, index) => ({
    questionId: call.questionIds?.[index] ?? `Q${index + 1}`,
    question: typeof question === 'string' ? question : String(Object(question).question),
  }));
}

function onTheWire(question: ScriptedQuestion): unknown {
  if (typeof question === 'string') return question;
  const { id: _, ...rest } = question;
  return rest;
}

const idOf = (question: ScriptedQuestion) => (typeof question === 'string' ? undefined : question.id);

/** What a text that resumes a session says about the questions that were open in it. */
export function restatedAnswers(text: string, open: readonly Call[]): { call: Call; answers: Given[] }[] {
  const blocks = answerBlocks(text);
  return open.map((call) => ({
    call,
    answers: questionTexts(call).flatMap(({ questionId, question }) => {
      if (!text.includes(question)) return [];
      const answer = blocks.get(question) ?? text;
      return [{ questionId, question, answer }];
    }),
  }));
}

const BLOCK =
  /Here are my answers to your questions:\n\n([\s\S]*?)\nMy answers:\n([\s\S]*?)(?=\n*Here are my answers to your questions:|$)/g;

/** Answers by question, from texts of the form `Q1: …`, `My answers:` …; one line each if the numbers match. */
function answerBlocks(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, asked = '', said = ''] of text.matchAll(BLOCK)) {
    const questions = asked
      .split(/^Q\d+: /m)
      .slice(1)
      .map((question) => question.trimEnd());
    const answers = said.replace(/\n+$/, '');
    const lines = answers.split('\n');
    questions.forEach((question, index) => {
      const own = questions.length === lines.length ? lines[index] : answers;
      found.set(question, own ?? answers);
    });
  }
  return found;
}

/** What `{{…}}` in a scenario's texts stands for. */
export interface Filling {
  given: readonly Given[];
  prompt: string;
  sessionId: string;
}

const NO_ANSWER = '(no answer)';

/**
 * Fills in a text: `{{answer:ID}}` (the question's id in the scenario, its full text, or if it
 * has no id Q1, Q2 … in the order of asking), `{{answer}}` for the latest, `{{prompt}}`, `{{session}}`.
 */
export function fill(text: string, filling: Filling): string {
  return text.replace(/\{\{(answer|prompt|session)(?::([^}]+))?\}\}/g, (_, name: string, key?: string) => {
    if (name === 'prompt') return filling.prompt;
    if (name === 'session') return filling.sessionId;
    if (key === undefined) return filling.given.at(-1)?.answer ?? NO_ANSWER;
    return answerTo(key.trim(), filling.given) ?? NO_ANSWER;
  });
}

/**
 * The answers as variables for a shell command, which never contains them itself: ANSWER_ID, with `_` for everything
 * but letters and digits.
 */
export function answerVariables(given: readonly Given[]): Record<string, string> {
  return Object.fromEntries(
    given.map(({ questionId, answer }) => [`ANSWER_${questionId.replace(/\W/g, '_')}`, answer]),
  );
}

function answerTo(key: string, given: readonly Given[]): string | undefined {
  return given.findLast(({ questionId, question }) => questionId === key || question === key)?.answer;
}

import type { Call } from './session-log.ts';
import type { AskStep, ScriptedQuestion } from './step.ts';

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

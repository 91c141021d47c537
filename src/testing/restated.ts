import { questionTexts } from './question-call.ts';
import type { Call, Given } from './session-log.ts';

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

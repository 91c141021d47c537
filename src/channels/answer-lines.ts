/** The answers to the questions of one round, taken from the text that has arrived on stdin. */
export interface RoundOfAnswers {
  /** In the order of the questions; unanswered ones are skipped if the round is over. */
  answers: string[];
  /** False if the input ended before all questions were answered. */
  isOver: boolean;
  /** Whether two blank lines ended it; otherwise they may still come. */
  endedByBlanks: boolean;
  rest: string;
}

/**
 * Takes one line for each question. Two blank lines end a round early, and keep a multi-line answer together: the last
 * question gets all remaining lines. Undefined while more has to arrive.
 */
export function takeRound(text: string, questions: number, hasEnded: boolean): RoundOfAnswers | undefined {
  const lines = text.split(/\r\n|\n/);
  const unfinished = lines.pop() ?? '';
  if (hasEnded && unfinished !== '') lines.push(unfinished);
  const rest = (from: number) => [...lines.slice(from), hasEnded ? '' : unfinished].join('\n');
  const end = lines.findIndex((line, index) => line === '' && lines[index + 1] === '');
  if (end >= 0)
    return {
      answers: inBlock(lines.slice(0, end), questions),
      isOver: true,
      endedByBlanks: true,
      rest: rest(end + 2),
    };
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  const last = filled[questions - 1];
  if (last !== undefined) {
    const answers = filled.slice(0, questions).map((index) => lines[index] ?? '');
    return { answers, isOver: true, endedByBlanks: false, rest: rest(last + 1) };
  }
  if (!hasEnded || filled.length === 0) return undefined;
  return {
    answers: filled.map((index) => lines[index] ?? ''),
    isOver: false,
    endedByBlanks: false,
    rest: '',
  };
}

/** Removes the blank lines that ended the previous round, so that they do not end this one. */
export const withoutRoundEnd = (text: string) => text.replace(/^(?:\r?\n){1,2}/, '');

function inBlock(lines: string[], questions: number): string[] {
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  if (filled.length <= questions && questions > 1) return filled.map((index) => lines[index] ?? '');
  const own = filled.slice(0, questions - 1);
  const left = lines
    .slice((own.at(-1) ?? -1) + 1)
    .join('\n')
    .trim();
  return [...own.map((index) => lines[index] ?? ''), ...(left === '' ? [] : [left])];
}

import { fromMcpElicitation } from '../../ledger/forms/mcp-elicitation.ts';
import { FermataError } from '../../schema/error.ts';
import type { AskedOption, AskedQuestion, QuestionEvent } from '../stream/events.ts';
import { isRecord, type JsonRecord, list, record, text } from '../stream/fields.ts';

/** What an agent asks, for people who look at its output. */
export const questionsIn = ({ place, input }: Pick<QuestionEvent, 'place' | 'input'>) =>
  place === 'elicitation' ? elicitedQuestions(record(input)) : askedQuestions(input);

/**
 * The questions in a tool's input: objects as Claude, Codex and Gemini send them, plain texts, or a single one in
 * `question`. Never throws; ignores an entry without text.
 */
export function askedQuestions(input: unknown): AskedQuestion[] {
  const { questions, question } = record(input);
  const entries = Array.isArray(questions)
    ? questions
    : [questions ?? (question === undefined ? undefined : input)];
  return entries.flatMap((entry) => askedQuestion(entry) ?? []);
}

/** The questions of an MCP server's form. An unreadable form becomes one question: its message. */
function elicitedQuestions(params: JsonRecord): AskedQuestion[] {
  try {
    return fromMcpElicitation(params, '').map(
      ({ text: question, header, options = [], multi = false, id }) => ({
        id,
        question,
        ...(header === undefined ? {} : { header }),
        options,
        multi,
      }),
    );
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return askedQuestions({ question: params.message });
  }
}

function askedQuestion(entry: unknown): AskedQuestion | undefined {
  const of = typeof entry === 'string' ? { question: entry } : record(entry);
  const question = (text(of.question) ?? text(of.text))?.trim();
  if (!question) return undefined;
  const asked: AskedQuestion = {
    question,
    options: options(list(of.options)),
    multi: of.multiSelect === true || of.multi === true || of.multiple === true,
  };
  const id = text(of.id);
  const header = text(of.header);
  if (id !== undefined) asked.id = id;
  if (header !== undefined) asked.header = header;
  return asked;
}

function options(values: readonly unknown[]): AskedOption[] {
  return values.flatMap((value) => {
    const of = isRecord(value) ? value : { label: typeof value === 'number' ? String(value) : value };
    const label = text(of.label);
    if (label === undefined) return [];
    const option: AskedOption = { label };
    const description = text(of.description);
    const preview = text(of.preview);
    if (description !== undefined) option.description = description;
    if (preview !== undefined) option.preview = preview;
    return [option];
  });
}

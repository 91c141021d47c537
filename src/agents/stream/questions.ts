import { fromMcpElicitation } from '../../ledger/forms/elicitation-writer.ts';
import { FermataError } from '../../schema/error.ts';
import { isRecord, type JsonRecord, list, record, text } from './agent-reader.ts';
import type { AskedOption, AskedQuestion, QuestionEvent, QuestionPlace, RequestId } from './events.ts';

/** Further calls are counted but not kept. */
const MAX_CALLS = 1000;
const MAX_PARENTS = 1000;

type CallState = 'open' | 'answered' | 'denied' | 'cancelled' | 'deferred';

/** One call of a tool that asks a person, however often and wherever it was seen. */
export interface AskedCall {
  /** Null if the agent gave none. */
  toolUseId: string | null;
  /** The latest request that can be answered for it. */
  requestId?: RequestId;
  questions: AskedQuestion[];
  input: unknown;
  state: CallState;
  /** The tool calls of the sub-agents that it came through, outermost first; empty for the agent itself. */
  lineage: string[];
}

/** A call whose input is not read yet: what each place reported. */
interface SeenCall extends Omit<AskedCall, 'questions' | 'input'> {
  inputs: Map<QuestionPlace, unknown>;
}

/**
 * Merges what several places report about a question, so that each question counts once. Reads the questions only when
 * somebody looks at them, because an agent's driver reads them itself.
 */
export class QuestionRegister {
  /** How many calls were not kept. */
  lost = 0;
  readonly #calls: SeenCall[] = [];
  readonly #byId = new Map<string, SeenCall>();
  readonly #parents = new Map<string, string>();

  /** Those that have a question. */
  get calls(): AskedCall[] {
    return this.#calls.flatMap(({ inputs, ...call }) => {
      const read = readInputs(inputs);
      return read ? [{ ...call, ...read }] : [];
    });
  }

  /** A tool call inside a sub-agent; anything it starts has a longer lineage. */
  toolUse(id: string, parent: string): void {
    if (this.#parents.size < MAX_PARENTS) this.#parents.set(id, parent);
  }

  add(event: QuestionEvent): void {
    const call = this.#find(event) ?? this.#create(event);
    if (!call) return;
    if (event.place === 'request' || !call.inputs.has(event.place)) call.inputs.set(event.place, event.input);
    if (event.requestId !== undefined) call.requestId = event.requestId;
    if (event.place === 'denial' && call.state === 'open') call.state = 'denied';
    if (event.place === 'deferred') call.state = 'deferred';
    if (event.parent !== undefined && call.lineage.length === 0) call.lineage = this.#lineage(event.parent);
  }

  outcome(toolUseId: string, isError: boolean): void {
    const call = this.#byId.get(toolUseId);
    if (call?.state === 'open') call.state = isError ? 'denied' : 'answered';
  }

  requestClosed(requestId: RequestId, cancelled: boolean): void {
    const call = this.#calls.findLast((each) => each.requestId === requestId && each.state === 'open');
    if (call) call.state = cancelled ? 'cancelled' : 'answered';
  }

  /** A turn does not end while a request waits, so its requests are settled now. */
  turnEnded(interrupted: boolean): void {
    for (const call of this.#calls) {
      if (call.state !== 'open') continue;
      if (interrupted) call.state = 'cancelled';
      else if (call.requestId !== undefined) call.state = 'answered';
    }
  }

  #find(event: QuestionEvent): SeenCall | undefined {
    if (event.toolUseId !== undefined) return this.#byId.get(event.toolUseId);
    if (event.requestId !== undefined) return this.#calls.find((call) => call.requestId === event.requestId);
    // A refusal without an id belongs to a call with the same words.
    const asked = questionsIn(event);
    return this.#calls.find(({ inputs }) => sameWords(readInputs(inputs)?.questions ?? [], asked));
  }

  #create({ toolUseId }: QuestionEvent): SeenCall | undefined {
    if (this.#calls.length >= MAX_CALLS) {
      this.lost += 1;
      return undefined;
    }
    const call: SeenCall = { toolUseId: toolUseId ?? null, inputs: new Map(), state: 'open', lineage: [] };
    this.#calls.push(call);
    if (toolUseId !== undefined) this.#byId.set(toolUseId, call);
    return call;
  }

  #lineage(parent: string): string[] {
    const lineage = [parent];
    for (let up = this.#parents.get(parent); up !== undefined; up = this.#parents.get(up)) {
      if (lineage.includes(up)) break;
      lineage.unshift(up);
    }
    return lineage;
  }
}

/** The version that the agent's program has checked is better than what its model wrote. */
function readInputs(inputs: SeenCall['inputs']): Pick<AskedCall, 'questions' | 'input'> | undefined {
  const checked = [...inputs].filter(([place]) => place === 'request');
  for (const [place, input] of [...checked, ...inputs]) {
    const questions = questionsIn({ place, input });
    if (questions.length > 0) return { questions, input };
  }
  return undefined;
}

function sameWords(a: readonly AskedQuestion[], b: readonly AskedQuestion[]): boolean {
  return a.length === b.length && a.every(({ question }, index) => question === b[index]?.question);
}

/** What an agent asks, for people who look at its output. */
const questionsIn = ({ place, input }: Pick<QuestionEvent, 'place' | 'input'>) =>
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

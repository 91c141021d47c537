import type { AskedQuestion, QuestionEvent, RequestId } from './events.ts';

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

/** Merges what several places report about a question, so that each question counts once. */
export class QuestionRegister {
  /** How many calls were not kept. */
  lost = 0;
  readonly #calls: AskedCall[] = [];
  readonly #byId = new Map<string, AskedCall>();
  readonly #parents = new Map<string, string>();

  get calls(): readonly AskedCall[] {
    return this.#calls;
  }

  /** A tool call inside a sub-agent; anything it starts has a longer lineage. */
  toolUse(id: string, parent: string): void {
    if (this.#parents.size < MAX_PARENTS) this.#parents.set(id, parent);
  }

  add(event: QuestionEvent): void {
    const known = this.#find(event);
    if (!known && event.questions.length === 0) return;
    const call = known ?? this.#create(event);
    if (!call) return;
    // The version that the agent's program has checked is better than what its model wrote.
    if (known && event.questions.length > 0 && event.place === 'request') {
      call.questions = event.questions;
      call.input = event.input;
    }
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

  #find(event: QuestionEvent): AskedCall | undefined {
    if (event.toolUseId !== undefined) return this.#byId.get(event.toolUseId);
    if (event.requestId !== undefined) return this.#calls.find((call) => call.requestId === event.requestId);
    // A refusal without an id belongs to a call with the same words.
    return this.#calls.find((call) => sameWords(call.questions, event.questions));
  }

  #create({ toolUseId, questions, input }: QuestionEvent): AskedCall | undefined {
    if (this.#calls.length >= MAX_CALLS) {
      this.lost += 1;
      return undefined;
    }
    const call: AskedCall = { toolUseId: toolUseId ?? null, questions, input, state: 'open', lineage: [] };
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

function sameWords(a: readonly AskedQuestion[], b: readonly AskedQuestion[]): boolean {
  return a.length === b.length && a.every(({ question }, index) => question === b[index]?.question);
}

import type { RequestId } from '@modelcontextprotocol/server';
import type { CredentialRegister } from '../../ledger/access/credential-register.ts';
import { FermataError } from '../../schema/error.ts';
import { type Caller, revokedAmong } from '../auth/caller.ts';

export interface CallLimits {
  mcpCalls: number;
  mcpCallsPerToken: number;
}

/** An HTTP request with one MCP request, several (a batch), or none (a notification). */
interface Received {
  caller: Caller;
  projectId: string;
  requestIds: RequestId[];
}

export interface OpenCall extends Received {
  /** Ends the wait for a person. If the client cancelled the call, the reason is the client's. */
  stop: AbortController;
  /** Ends the call without a response. */
  cut: AbortController;
  /** Whether the client may have given up on the call, so that an answer in the response does not count as delivered. */
  isDoubtful: boolean;
}

/** The open MCP requests; each may wait for a person for days. */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();
  readonly #ended = new EndedCalls();
  readonly #limits: CallLimits;
  #isStopping = false;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  begin(received: Received): OpenCall {
    if (this.#isStopping) throw new FermataError('busy', 'The hub is stopping. Try again later.');
    const call = { ...received, stop: new AbortController(), cut: new AbortController(), isDoubtful: false };
    // A notification waits for nobody, and may be the one that ends a call.
    if (received.requestIds.length === 0) return call;
    this.#requireRoom(received.caller);
    this.#calls.add(call);
    return call;
  }

  end(call: OpenCall): void {
    if (this.#calls.delete(call)) this.#ended.add(call);
  }

  /**
   * Ends the call that the client cancelled. Without sessions, clients that share a token may use the same id, and one of
   * these calls may just have ended: then all of them continue, and their answers can be fetched again.
   */
  cancel({ caller, projectId }: Received, requestId: RequestId, reason?: string): void {
    const meant = [...this.#calls].filter(
      (call) =>
        call.caller.id === caller.id && call.projectId === projectId && call.requestIds.includes(requestId),
    );
    for (const call of meant) call.isDoubtful = true;
    const [call, another] = meant;
    if (!call || another || call.requestIds.length > 1 || this.#ended.has(call, requestId)) return;
    // In this order, because the tool reads the reason of the first signal.
    call.stop.abort(reason);
    call.cut.abort();
  }

  async endRevoked(credentials: CredentialRegister): Promise<void> {
    for (const { cut } of await revokedAmong(credentials, [...this.#calls])) cut.abort();
  }

  /** Ends all calls while there is time to tell the clients. */
  stop(): void {
    this.#isStopping = true;
    for (const { stop } of this.#calls) stop.abort();
  }

  #requireRoom(caller: Caller): void {
    const { mcpCalls, mcpCallsPerToken } = this.#limits;
    if (this.#calls.size >= mcpCalls) throw tooMany('The hub has', mcpCalls);
    const own = [...this.#calls].filter((call) => call.caller.id === caller.id);
    if (own.length >= mcpCallsPerToken) throw tooMany('This token has', mcpCallsPerToken);
  }
}

function tooMany(who: string, most: number): FermataError {
  return new FermataError('busy', `${who} ${most} MCP requests open, which is the limit. Try again later.`);
}

interface From {
  caller: Caller;
  projectId: string;
}

/** Longer than a cancellation is on its way, and short, because a restarted client uses the same ids again. */
const KEPT_MS = 5000;

/** The ids of calls that ended recently: a cancellation with such an id may be a late one for them. */
class EndedCalls {
  /** When each ended, oldest first. */
  readonly #times = new Map<string, number>();

  add(from: From & { requestIds: RequestId[] }): void {
    const now = Date.now();
    for (const [key, time] of this.#times) {
      if (now - time <= KEPT_MS) break;
      this.#times.delete(key);
    }
    for (const id of from.requestIds) {
      const key = keyOf(from, id);
      this.#times.delete(key);
      this.#times.set(key, now);
    }
  }

  has(from: From, id: RequestId): boolean {
    const time = this.#times.get(keyOf(from, id));
    return time !== undefined && Date.now() - time <= KEPT_MS;
  }
}

const keyOf = ({ caller, projectId }: From, id: RequestId) => JSON.stringify([caller.id, projectId, id]);

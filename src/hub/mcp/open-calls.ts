import type { CredentialRegister } from '../../ledger/access/credential-register.ts';
import { FermataError } from '../../schema/error.ts';
import type { Caller } from '../auth/caller.ts';
import { revokedAmong } from '../auth/revoked.ts';

export interface CallLimits {
  mcpCalls: number;
  mcpCallsPerToken: number;
}

interface OpenCall {
  caller: Caller;
  /** Ends the call without a response. */
  cut: AbortController;
}

/** The open MCP requests; each may wait for a person for days. */
export class OpenCalls {
  readonly #calls = new Set<OpenCall>();
  readonly #stop = new AbortController();
  readonly #limits: CallLimits;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** `cut` is aborted when the token is revoked, `stop` when the hub stops and there is time to say so. */
  begin(caller: Caller): { cut: AbortSignal; stop: AbortSignal; end(): void } {
    const { mcpCalls, mcpCallsPerToken } = this.#limits;
    if (this.#stop.signal.aborted) throw new FermataError('busy', 'The hub is stopping. Try again later.');
    if (this.#calls.size >= mcpCalls) throw tooMany('The hub has', mcpCalls);
    const own = [...this.#calls].filter((call) => call.caller.id === caller.id);
    if (own.length >= mcpCallsPerToken) throw tooMany('This token has', mcpCallsPerToken);
    const call = { caller, cut: new AbortController() };
    this.#calls.add(call);
    return { cut: call.cut.signal, stop: this.#stop.signal, end: () => void this.#calls.delete(call) };
  }

  async endRevoked(credentials: CredentialRegister): Promise<void> {
    for (const { cut } of await revokedAmong(credentials, [...this.#calls])) cut.abort();
  }

  stop(): void {
    this.#stop.abort();
  }
}

function tooMany(who: string, most: number): FermataError {
  return new FermataError('busy', `${who} ${most} MCP requests open, which is the limit. Try again later.`);
}

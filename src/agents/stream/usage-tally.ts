import { addUsage, noUsage, type Usage } from '../driver.ts';

/** At least this many messages are distinguished; older ones are counted and forgotten. */
const MIN_KNOWN = 1000;

/**
 * Adds up tokens: each message once, however often it is reported. The figures of a turn's result replace those of its
 * messages.
 */
export class UsageTally {
  /** Finished turns. */
  #settled = noUsage;
  /** Messages of this turn that are no longer distinguished. */
  #earlier = noUsage;
  /** The messages of this turn; undefined for messages of earlier turns, which may be reported again. */
  #messages = new Map<string, Usage | undefined>();
  #before = new Map<string, Usage | undefined>();
  #cost: number | undefined;
  #costOfProcess = 0;

  message(id: string | undefined, usage: Usage): void {
    if (id === undefined) {
      this.#earlier = addUsage(this.#earlier, usage);
      return;
    }
    const known = this.#messages.has(id) ? this.#messages : this.#before.has(id) ? this.#before : undefined;
    const told = known?.get(id);
    if (known && told === undefined) return;
    (known ?? this.#messages).set(id, told ? most(told, usage) : usage);
    if (!known && this.#messages.size >= MIN_KNOWN) this.#forget();
  }

  /** The end of a turn; `usage` is for the turn, or for the whole session so far. */
  turn(usage: Usage | undefined, of: 'turn' | 'session'): void {
    if (usage && of === 'session') this.#settled = usage;
    else this.#settled = addUsage(this.#settled, usage ?? this.#open());
    for (const messages of [this.#messages, this.#before]) {
      for (const id of messages.keys()) messages.set(id, undefined);
    }
    this.#earlier = noUsage;
  }

  /** The agent reports what its process has cost so far; less than before means that it is a new process. */
  cost(usd: number): void {
    const before = this.#costOfProcess;
    this.#cost = (this.#cost ?? 0) + (usd >= before ? usd - before : usd);
    this.#costOfProcess = usd;
  }

  get total(): Usage {
    const total = addUsage(this.#settled, this.#open());
    return this.#cost === undefined ? total : { ...total, costUsd: this.#cost };
  }

  #open(): Usage {
    return sum([...this.#messages.values(), ...this.#before.values()], this.#earlier);
  }

  #forget(): void {
    this.#earlier = sum([...this.#before.values()], this.#earlier);
    this.#before = this.#messages;
    this.#messages = new Map();
  }
}

function sum(usages: (Usage | undefined)[], start: Usage): Usage {
  return usages.reduce<Usage>((total, usage) => (usage ? addUsage(total, usage) : total), start);
}

/** The figures of a message only grow while it arrives. */
function most(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(a.inputTokens, b.inputTokens),
    outputTokens: Math.max(a.outputTokens, b.outputTokens),
    cacheReadTokens: Math.max(a.cacheReadTokens, b.cacheReadTokens),
    cacheCreationTokens: Math.max(a.cacheCreationTokens, b.cacheCreationTokens),
  };
}

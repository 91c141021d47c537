import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './loopback.ts';

/** What a scripted model does when asked: a reply, or a failure. */
export type Scripted<Reply> = Reply | Failure<Reply>;

export type Failure<Reply> =
  | { failure: 'status'; status: number; type: string; message: string; headers: Record<string, string> }
  | { failure: 'drop'; midway: Reply | undefined }
  | { failure: 'delay'; ms: number; then: Scripted<Reply> };

/** One reply per main request, in this order; or a function of the request (and its number from 0). */
export type Script<Request, Reply> =
  | readonly Scripted<Reply>[]
  | ((request: Request, index: number) => Scripted<Reply> | Promise<Scripted<Reply>>);

/**
 * An HTTP error: `httpError(529, 'overloaded_error')`. After a 5xx the CLIs try again; Claude 2.1.325 does so
 * five times after a 400 or 422 too.
 */
export function httpError(
  status: number,
  type = 'invalid_request_error',
  message = 'scripted',
  headers: Record<string, string> = {},
): Failure<never> {
  return { failure: 'status', status, type, message, headers };
}

/** Hangs up without an answer; with `midway`, after streaming that much of one. */
export function drop<Reply = never>(midway?: Reply): Failure<Reply> {
  return { failure: 'drop', midway };
}

/** Answers late; not at all if the CLI hangs up first. */
export function delay<Reply>(ms: number, then: Scripted<Reply>): Failure<Reply> {
  return { failure: 'delay', ms, then };
}

/** Lets a script wait for something that the test does. */
export function gate(): { passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** The CLI sent one more request than the test expected. */
export class ScriptEnded extends Error {}

/** How one API puts things on the wire. */
export interface Wire<Reply> {
  /** `cut`: everything but the end, then the connection is dead. */
  send(reply: Reply, cut: boolean): void;
  sendError(status: number, type: string, message: string, headers: Record<string, string>): void;
}

/** The main requests so far, each answered by the script. */
export class Play<Request, Reply extends object> {
  readonly requests: Request[] = [];
  readonly #script: Script<Request, Reply>;
  readonly #waiting = new Map<number, ((request: Request) => void)[]>();

  constructor(script: Script<Request, Reply>) {
    this.#script = script;
  }

  /** Main request number `n` (from 1), as soon as it comes. */
  request(n: number): Promise<Request> {
    const there = this.requests[n - 1];
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve) => this.#waiting.set(n, [...(this.#waiting.get(n) ?? []), resolve]));
  }

  async answer(request: Request, call: Call, wire: Wire<Reply>): Promise<void> {
    const index = this.requests.push(request) - 1;
    for (const resolve of this.#waiting.get(index + 1) ?? []) resolve(request);
    this.#waiting.delete(index + 1);
    const scripted = typeof this.#script === 'function' ? this.#script(request, index) : this.#script[index];
    const next = await scripted;
    if (next === undefined) throw new ScriptEnded(`the script ends before request ${index + 1}`);
    if (!call.gone.aborted) await perform(next, call, wire);
  }
}

async function perform<Reply extends object>(
  scripted: Scripted<Reply>,
  call: Call,
  wire: Wire<Reply>,
): Promise<void> {
  if (!isFailure(scripted)) return wire.send(scripted, false);
  switch (scripted.failure) {
    case 'status':
      return wire.sendError(scripted.status, scripted.type, scripted.message, scripted.headers);
    case 'drop':
      if (scripted.midway !== undefined) wire.send(scripted.midway, true);
      else call.response.destroy();
      return;
    case 'delay':
      if (await passed(scripted.ms, call.gone)) await perform(scripted.then, call, wire);
      return;
    default:
      return scripted satisfies never;
  }
}

function isFailure<Reply extends object>(scripted: Scripted<Reply>): scripted is Failure<Reply> {
  return 'failure' in scripted;
}

async function passed(ms: number, gone: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: gone, ref: false }).catch(() => undefined);
  return !gone.aborted;
}

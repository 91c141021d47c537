import { type Call, listenOnLoopback } from './loopback.ts';
import { Play, type Script, ScriptEnded, type Wire } from './script.ts';

/** A scripted model behind the API of its maker, and the log of what was sent to it. */
export interface ModelServer<Request> {
  url: string;
  /** The main requests, those that offer tools, in the order in which they came. */
  requests: readonly Request[];
  /** Main request number `n` (from 1), as soon as it comes. */
  request(n: number): Promise<Request>;
  /** Titles, quota probes and the like: answered "ok" without advancing the script. */
  auxiliary: readonly Request[];
  /** Why requests were refused with 400, as the real API would; none of these is in the other lists. */
  refused: readonly string[];
  /** Other hosts that were requested with this server as the proxy (see cli-home.ts). */
  strays: readonly string[];
  stop(): Promise<void>;
}

/** What differs from maker to maker. */
export interface Api<Request, Reply> {
  /** Where conversations are posted to. */
  path: string;
  /** Throws if the real API would respond with 400 for the shape, or for an impossible conversation. */
  read(call: Call): Request;
  wire(call: Call, request: Request): Wire<Reply>;
  auxiliary: Reply;
  /** The status that this maker's CLIs report at once, with its message, and do not retry. */
  finalStatus: number;
  /** Everything else that the API is asked for. */
  answerOther(call: Call): void;
  sendError: (call: Call, status: number, type: string, message: string) => void;
}

export async function startModelServer<Request extends { tools: string[] }, Reply extends object>(
  api: Api<Request, Reply>,
  script: Script<Request, Reply>,
): Promise<ModelServer<Request>> {
  const play = new Play(script);
  const auxiliary: Request[] = [];
  const refused: string[] = [];
  const loopback = await listenOnLoopback(async (call) => {
    if (call.method !== 'POST' || call.path !== api.path) return api.answerOther(call);
    const request = attempt(() => api.read(call));
    if (request instanceof Error) {
      refused.push(request.message);
      return api.sendError(call, 400, 'invalid_request_error', request.message);
    }
    const wire = api.wire(call, request);
    if (request.tools.length === 0) {
      auxiliary.push(request);
      return wire.send(api.auxiliary, false);
    }
    try {
      await play.answer(request, call, wire);
    } catch (error) {
      api.sendError(call, api.finalStatus, 'script_error', String(error));
      if (!(error instanceof ScriptEnded)) throw error;
    }
  });
  return {
    ...loopback,
    requests: play.requests,
    request: (n) => play.request(n),
    auxiliary,
    refused,
  };
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

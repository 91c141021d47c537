import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  isSpecType,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
  type ToolAnnotations,
  type Tool as ToolDescription,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { ElicitationForm } from '../ledger/forms/elicitation-writer.ts';
import { FermataError } from '../schema/error.ts';

export interface Serving {
  tools: Tool[];
  /** The client's name if it does not give one. */
  client: string;
  /** Aborted when the server stops or the client cancels: waiting calls end and say what the client can do. */
  stop?: AbortSignal;
  /** Runs `then` once the result of this request is on its way to the client. */
  afterSending(request: RequestId, then: () => Promise<void>): void;
}

/**
 * An MCP server with our tools, for one connection or one HTTP request. Not the package's `McpServer`, which refuses wrong
 * input in its own words.
 */
export function toolServer(serving: Serving): Server {
  const server = new ToolServer(
    { name: 'fermata', title: 'Fermata', version: packageJson.version },
    // Older clients get forms during the call, so that an answer from elsewhere can close them.
    { capabilities: { tools: {} }, inputRequired: { legacyShim: false } },
  );
  const tools = new Map(serving.tools.map((tool) => [tool.name, tool]));
  server.setRequestHandler('tools/list', () => ({ tools: serving.tools.map(describe) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.get(params.name);
    if (!tool) {
      const message = `There is no tool ${params.name.slice(0, 100)}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    return callTool(tool, params.arguments ?? {}, context, server, serving);
  });
  return server;
}

type Handler = Parameters<Server['_wrapHandler']>[1];

/** The package calls an invalid `initialize` an internal error and quotes its schema. */
class ToolServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    if (method !== 'initialize') return wrapped;
    return async (request, context) => {
      if (!isSpecType.InitializeRequest(request))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, INITIALIZE);
      return wrapped(request, context);
    };
  }
}

const INITIALIZE =
  'initialize needs a protocolVersion (string), capabilities, and clientInfo with name and version.';

function describe({ name, title, description, annotations, input, output }: Tool): ToolDescription {
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: jsonSchema(input),
    ...(output ? { outputSchema: jsonSchema(output) } : {}),
    // Claude Code hides tools behind a search unless they ask to be loaded, but the model must see that it can ask.
    _meta: { 'anthropic/alwaysLoad': true },
  };
}

const jsonSchema = (schema: z.ZodObject) => z.toJSONSchema(schema) as ToolDescription['inputSchema'];

async function callTool(
  tool: Tool,
  input: Record<string, unknown>,
  context: ServerContext,
  server: Server,
  { client, stop, afterSending }: Serving,
): Promise<CallToolResult | InputRequiredResult> {
  const { id, signal } = context.mcpReq;
  const progress = new Progress(context);
  const call: ToolCall = {
    signal: stop ? AbortSignal.any([signal, stop]) : signal,
    ...clientOf(server, context, client),
    waitsFor: (question) => progress.waitsFor(question),
  };
  try {
    const result = await tool.call(input, call);
    if ('form' in result) return inputRequired({ inputRequests: { [FORM_REPLY]: formRequest(result.form) } });
    const { text, structured, sent } = result;
    if (sent) afterSending(id, sent);
    return { content: [{ type: 'text', text }], ...(structured ? { structuredContent: structured } : {}) };
  } catch (error) {
    // A tool's own failure is for the model to read; it is not a protocol error.
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text }], isError: true };
  } finally {
    progress.stop();
  }
}

function formRequest(form: ElicitationForm): InputRequest {
  const request: unknown = { method: 'elicitation/create', params: { mode: 'form', ...form } };
  if (isSpecType.ElicitRequest(request)) return request;
  throw new FermataError('invalid', 'MCP has no form for this question.');
}

/** The name under which a client returns a person's response to a form. */
const FORM_REPLY = 'answer';

/** A person may take as long as a timer can count: 24 days. */
const MAX_MS = 2 ** 31 - 1;

const Info = z.object({ name: z.string().min(1) });
const Capabilities = z.object({ elicitation: z.record(z.string(), z.unknown()) });

/** The client's name, and how it shows forms: older clients say so once, newer ones with each request. */
function clientOf(
  server: Server,
  { mcpReq }: ServerContext,
  otherwise: string,
): { client: string; forms?: Forms } {
  const isStateless = mcpReq.envelope !== undefined;
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const info = isStateless ? envelope[CLIENT_INFO_META_KEY] : server.getClientVersion();
  const capabilities = isStateless ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  const client = Info.safeParse(info).data?.name.slice(0, 100) ?? otherwise;
  if (!showsForms(Capabilities.safeParse(capabilities).data?.elicitation)) return { client };
  if (isStateless) return { client, forms: { kind: 'returned', reply: mcpReq.inputResponses?.[FORM_REPLY] } };
  const show: Extract<Forms, { kind: 'sent' }>['show'] = (form, signal) =>
    mcpReq.send({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: MAX_MS });
  return { client, forms: { kind: 'sent', show } };
}

/** A client that names no kind of elicitation shows forms; the other kind is an address to open. */
function showsForms(elicitation: Record<string, unknown> | undefined): boolean {
  return elicitation !== undefined && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}

/** Well below the time after which clients give up on a call without progress. */
const PROGRESS_MS = 20_000;

/** Tells a client that wants progress that its call is still running, and which question it waits for. */
class Progress {
  readonly #mcpReq: ServerContext['mcpReq'];
  #progress = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ mcpReq }: ServerContext) {
    this.#mcpReq = mcpReq;
  }

  waitsFor(id: string): void {
    const progressToken = this.#mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const message = `waiting for a person to answer ${id}; call get_answer later`;
    const tell = () => {
      this.#progress += 1;
      const params = { progressToken, progress: this.#progress, message };
      // The client may be gone; then the call itself ends.
      this.#mcpReq.notify({ method: 'notifications/progress', params }).catch(() => this.stop());
    };
    tell();
    this.#timer = setInterval(tell, PROGRESS_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** A tool that a model may call. */
export interface Tool {
  name: string;
  /** For people, in a client's list of tools. */
  title: string;
  /** For the model. */
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  /** The shape of `structured`. Without it, a client has only the text. */
  output?: z.ZodObject;
  call(input: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

export interface ToolCall {
  /** Aborted when the client cancels the call or goes away; the reason is the client's, if it gave one. */
  signal: AbortSignal;
  /** The client's own name, such as `claude-code`. */
  client: string;
  /** Names the question that the call waits for, for a client that wants progress: it may give up before the answer. */
  waitsFor(id: string): void;
  /** How this client shows forms to the person who uses it; undefined if it cannot. */
  forms?: Forms;
}

export type Forms =
  /** Until protocol version 2025-11-25: we send the form during the call. The result is MCP's. */
  | { kind: 'sent'; show(form: ElicitationForm, signal: AbortSignal): Promise<unknown> }
  /** Since 2026-07-28: the call ends with the form, and the client calls again with the person's response. */
  | { kind: 'returned'; reply: unknown };

export type ToolResult = ToolReply | { form: ElicitationForm };

export interface ToolReply {
  text: string;
  structured?: Record<string, unknown>;
  /** Called when the result is on its way to the client. */
  sent?(): Promise<void>;
}

export interface HttpServing extends Serving {
  /** The client gave up on another request, which has a server of its own. */
  cancel(request: RequestId, reason: string | undefined): void;
}

/**
 * The response to one HTTP request without a session: a client that asks again after a crash is recognised by its token.
 * A session would end with its hub, and other hubs would not know it. It is always a stream, because comments keep the
 * connection open while a person takes hours.
 */
export function answerMcp(serving: HttpServing, request: Request, body: unknown): Promise<Response> {
  const handler = createMcpHandler(() => httpServer(serving), { responseMode: 'sse' });
  return handler.fetch(request, { parsedBody: body });
}

function httpServer(serving: HttpServing) {
  const server = toolServer(serving);
  server.setNotificationHandler('notifications/cancelled', ({ params: { requestId, reason } }) => {
    if (requestId !== undefined) serving.cancel(requestId, reason);
  });
  return server;
}

const Numbered = z.object({ method: z.string(), id: z.union([z.string(), z.number()]) });

/** The id of a request, even if the rest of it is invalid; undefined if it is not a request. */
export function requestIdOf(message: unknown): string | number | undefined {
  return Numbered.safeParse(message).data?.id;
}

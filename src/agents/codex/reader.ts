import { isAcp } from '../acp/reader.ts';
import { type AgentReader, Beginnings, type Emit } from '../stream/agent-reader.ts';
import { isRecord, type JsonRecord } from '../stream/fields.ts';
import { AppServerReader } from './app-server-reader.ts';
import { ExecReader } from './exec-reader.ts';

/** Lines that can be skipped: pieces of a message that follows as a whole, tool output, and unused figures. */
const chatter = new Beginnings([
  '{"method":"item/agentMessage/delta",',
  '{"method":"item/reasoning/',
  '{"method":"item/plan/delta",',
  '{"method":"item/commandExecution/outputDelta",',
  '{"method":"item/fileChange/outputDelta",',
  '{"method":"item/mcpToolCall/progress",',
  '{"method":"account/',
]);

/** An event of `codex exec`, a notification or request of the app-server, or its response to a first call. */
export function isCodex({ type, method, result }: JsonRecord): boolean {
  if (typeof type === 'string') return /^(?:thread|turn|item)\./.test(type);
  if (typeof method === 'string') return /^(?:thread|turn|item|account|mcpServer)\//.test(method);
  return isRecord(result) && ('codexHome' in result || 'thread' in result);
}

/** Codex: the events of `codex exec --json` and the messages of `codex app-server`. */
export class CodexReader implements AgentReader {
  readonly #exec: ExecReader;
  readonly #appServer: AppServerReader;
  #sessionKnown = false;

  constructor(emit: Emit) {
    const emitAndWatch: Emit = (event) => {
      if (event.type === 'session') this.#sessionKnown = true;
      emit(event);
    };
    this.#exec = new ExecReader(emitAndWatch);
    this.#appServer = new AppServerReader(emitAndWatch);
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#sessionKnown && chatter.match(bytes, start, end);
  }

  read(object: JsonRecord): boolean {
    if (isAcp(object)) return false;
    if (typeof object.type === 'string') this.#exec.read(object);
    else if ('method' in object || 'id' in object) this.#appServer.read(object);
    else return false;
    return true;
  }
}

import { isAcp } from './acp.ts';
import { CodexAppServer } from './codex-app-server.ts';
import { CodexExec } from './codex-exec.ts';
import { Beginnings, type Dialect, type Emit, isOneObject } from './dialect.ts';
import type { JsonRecord } from './fields.ts';

/** Pieces of messages that come again as a whole, output of tools, and figures that nobody asked for. */
const chatter = new Beginnings([
  '{"method":"item/agentMessage/delta",',
  '{"method":"item/reasoning/',
  '{"method":"item/plan/delta",',
  '{"method":"item/commandExecution/outputDelta",',
  '{"method":"item/fileChange/outputDelta",',
  '{"method":"item/mcpToolCall/progress",',
  '{"method":"account/',
]);

/** Codex: the events of `codex exec --json` and the messages of `codex app-server`. */
export class CodexDialect implements Dialect {
  readonly #exec: CodexExec;
  readonly #appServer: CodexAppServer;
  #sessionKnown = false;

  constructor(emit: Emit) {
    const emitAndWatch: Emit = (event) => {
      if (event.type === 'session') this.#sessionKnown = true;
      emit(event);
    };
    this.#exec = new CodexExec(emitAndWatch);
    this.#appServer = new CodexAppServer(emitAndWatch);
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#sessionKnown && chatter.match(bytes, start, end) && isOneObject(bytes, start, end);
  }

  read(object: JsonRecord): boolean {
    if (isAcp(object)) return false;
    if (typeof object.type === 'string') this.#exec.read(object);
    else if ('method' in object || 'id' in object) this.#appServer.read(object);
    else return false;
    return true;
  }
}

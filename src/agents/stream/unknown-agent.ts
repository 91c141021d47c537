import { isAcp } from '../acp/reader.ts';
import { ClaudeReader, isClaude } from '../claude/reader.ts';
import { CodexReader, isCodex } from '../codex/reader.ts';
import { GeminiReader, isGemini } from '../gemini/reader.ts';
import type { AgentReader, Emit } from './agent-reader.ts';
import { type AgentKind, agentKinds } from './events.ts';
import type { JsonRecord } from './fields.ts';

/** How many objects are held back until one of them identifies the agent. */
const MAX_HELD = 100;

/**
 * How each agent's objects are recognised, and which reader reads them. Gemini comes before Claude, because some of its
 * results look similar.
 */
const agents: Record<AgentKind, { isFrom(object: JsonRecord): boolean; reader(emit: Emit): AgentReader }> = {
  gemini: { isFrom: isGemini, reader: (emit) => new GeminiReader(emit) },
  claude: { isFrom: isClaude, reader: (emit) => new ClaudeReader(emit) },
  codex: { isFrom: isCodex, reader: (emit) => new CodexReader(emit) },
};

export const readerOf = (kind: AgentKind, emit: Emit): AgentReader => agents[kind].reader(emit);

/** Detects from the first objects which agent is speaking, then reads them. */
export class UnknownAgent implements AgentReader {
  readonly #emit: Emit;
  #known: AgentReader | undefined;
  #held: JsonRecord[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  skips(bytes: Buffer, start: number, end: number): boolean {
    return this.#known?.skips(bytes, start, end) ?? false;
  }

  read(object: JsonRecord): boolean {
    if (this.#known) return this.#known.read(object);
    if (isAcp(object)) return false;
    const told = kindOf(object);
    if (!told && typeof object.type !== 'string' && !('method' in object) && !('id' in object)) return false;
    const kind = told ?? (this.#held.length >= MAX_HELD ? 'claude' : undefined);
    this.#held.push(object);
    if (kind !== undefined) this.#settle(kind);
    return true;
  }

  finish(): void {
    if (this.#known || this.#held.length === 0) return;
    this.#settle('claude');
    this.#emit({
      type: 'notice',
      level: 'error',
      message: `This is not the output of a known agent (${agentKinds.join(', ')}).`,
    });
  }

  #settle(kind: AgentKind): void {
    const reader = readerOf(kind, this.#emit);
    this.#known = reader;
    for (const object of this.#held) reader.read(object);
    this.#held = [];
  }
}

/** The agent that writes such objects; undefined if the object does not show it. */
function kindOf(object: JsonRecord): AgentKind | undefined {
  return (Object.keys(agents) as AgentKind[]).find((kind) => agents[kind].isFrom(object));
}

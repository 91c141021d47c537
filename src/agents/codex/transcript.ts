import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentSetup } from '../driver.ts';
import {
  entryOf,
  GrowingFile,
  isKeptIn,
  type Transcript,
  toolResult,
  transcriptLines,
} from '../run/transcript.ts';
import { outsidePath } from '../sandbox/arguments.ts';
import { isRecord, record } from '../stream/agent-reader.ts';

/** What a thread has on disk. A sub-agent's outcomes count only if it finished, or else they died with it. */
export async function transcript(keeper: Keeper, threadId: string): Promise<Transcript | undefined> {
  const record = await read(keeper, threadId);
  if (!record) return undefined;
  const results = new Map(record.results);
  for (const subAgent of record.subAgents) {
    const theirs = subAgent === threadId ? undefined : await read(keeper, subAgent);
    if (!theirs?.isDone) continue;
    for (const [callId, result] of theirs.results) results.set(askIdOf(subAgent, callId), result);
  }
  return { calls: record.calls, results, messages: record.messages, hasSubAgents: true };
}

/** Whether the record of a thread exists without anything in it. Codex always refuses to resume such a thread. */
export async function isBlank(keeper: Keeper, threadId: string): Promise<boolean> {
  return (await read(keeper, threadId))?.isBlank ?? false;
}

async function read(keeper: Keeper, threadId: string): Promise<Rollout | undefined> {
  const path = await rolloutFile(keeper, threadId);
  if (path === undefined) return undefined;
  const rollout = new Rollout(path);
  await rollout.readAppended();
  return rollout;
}

/** The key of a call that asks; for a sub-agent it includes the thread. */
export const askIdOf = (subAgent: string | undefined, callId: string) =>
  subAgent === undefined ? callId : `${subAgent}/${callId}`;

/** What Codex writes instead of an outcome that never came. */
const BROKEN_OFF = /^(?:aborted\b|dynamic tool call was cancelled)/;

/** How the record names a sub-agent: in the outcome of the call that started it, or in an event about it. */
const SUB_AGENT = /"agent(?:_thread)?_id\\*":\s*\\*"([0-9a-f-]{36})/g;
/** The first and the last line of a turn. */
const TURN = /^\{[^{]*"event_msg","payload":\{"type":"(task_started|task_complete|turn_aborted)"/;

/** Codex's record of one thread on disk, read while it grows. */
export class Rollout {
  /** The ids of the calls that the model has made. */
  readonly calls = new Set<string>();
  /** The outcomes of its calls, by the call's id. */
  readonly results = new Map<string, { isError: boolean; text: string }>();
  /** The messages sent to it. */
  readonly messages: string[] = [];
  /** The threads of its sub-agents. */
  readonly subAgents = new Set<string>();
  /** True if the record has no complete line, because Codex was killed while creating it. */
  isBlank = true;
  /** True once the thread has finished its task. */
  isDone = false;
  readonly #file: GrowingFile;

  constructor(path: string) {
    const lines = transcriptLines((line) => this.#line(line));
    this.#file = new GrowingFile(path, (chunk) => lines.push(chunk));
  }

  /** True once the outcome of a call is on disk, so that a resumed thread has it. */
  has(callId: string): boolean {
    return this.results.get(callId)?.isError === false;
  }

  /** True once it was sent these words, as a whole message or part of one. */
  wasTold(words: string): boolean {
    return this.messages.some((text) => text.includes(words.trim()));
  }

  /** Reads what was written since the last call. */
  readAppended(): Promise<void> {
    return this.#file.readAppended();
  }

  #line(line: string): void {
    this.isBlank = false;
    for (const [, threadId = ''] of line.matchAll(SUB_AGENT)) this.subAgents.add(threadId);
    const turn = TURN.exec(line)?.[1];
    if (turn) this.isDone = turn === 'task_complete';
    if (!line.includes('"response_item"')) return;
    const { type, role, call_id: callId, output, content } = record(entryOf(line)?.payload);
    if (type === 'message' && role === 'user') this.messages.push(textOf(content));
    if (typeof callId !== 'string' || typeof type !== 'string') return;
    if (type.endsWith('_call')) this.calls.add(callId);
    if (!type.endsWith('_call_output')) return;
    const text = textOf(output);
    this.results.set(callId, toolResult(BROKEN_OFF.test(text), text));
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}

/** The agent whose records we look for. */
type Keeper = Pick<AgentSetup, 'env' | 'sandbox'>;

/** Where Codex keeps its configuration and its records. */
export function codexFolder({ CODEX_HOME, HOME }: AgentSetup['env']): string | undefined {
  return CODEX_HOME || (HOME === undefined ? undefined : join(HOME, '.codex'));
}

/** The record of a thread: `sessions/YEAR/MONTH/DAY/rollout-TIME-THREAD.jsonl`. Undefined while there is none. */
export async function rolloutFile({ env, sandbox }: Keeper, threadId: string): Promise<string | undefined> {
  const inside = codexFolder(env);
  if (inside === undefined) return undefined;
  const folder = sandbox ? outsidePath(sandbox, inside) : inside;
  const path = await find(join(folder, 'sessions'), `-${threadId}.jsonl`, 3);
  return path !== undefined && (await isKeptIn(folder, path)) ? path : undefined;
}

/** Newest folders first, because the file was usually written a moment ago. */
async function find(folder: string, ending: string, depth: number): Promise<string | undefined> {
  const names = (await readdir(folder).catch(() => [])).sort().reverse();
  if (depth === 0) {
    const name = names.find((each) => each.endsWith(ending));
    return name === undefined ? undefined : join(folder, name);
  }
  for (const name of names.filter((each) => /^\d{2,4}$/.test(each))) {
    const found = await find(join(folder, name), ending, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const LOOK_MS = 20;
/** How often we look for a missing file; not more often, because the search visits all folders. */
const FIND_MS = 1000;

/**
 * Determines when an answer cannot be lost any more: the thread's record on disk has it, or the thread has finished the
 * turn in which it got it. Codex reports a call as finished just before it is on disk, and a kill at that moment loses
 * the answer.
 */
export class Records {
  readonly #find: (threadId: string) => Promise<string | undefined>;
  readonly #rollouts = new Map<string, Rollout>();
  /** When the file of a thread was last looked for. */
  readonly #missed = new Map<string, number>();
  readonly #turnsDone = new Map<string, number>();
  #isOver = false;

  /** `find` names the file of a thread's record. */
  constructor(find: (threadId: string) => Promise<string | undefined>) {
    this.#find = find;
  }

  turnDone(threadId: string): void {
    this.#turnsDone.set(threadId, this.#turns(threadId) + 1);
  }

  /** The process is gone, so what is not on disk now never will be. */
  close(): void {
    this.#isOver = true;
  }

  /** Resolves to whether the thread can no longer lose what `has` looks for. */
  async keeps(threadId: string, has: (record: Rollout) => boolean): Promise<boolean> {
    const before = this.#turns(threadId);
    for (;;) {
      const isOver = this.#isOver;
      if (await this.#isOnDisk(threadId, has)) return true;
      if (this.#turns(threadId) > before) return true;
      if (isOver) return false;
      await sleep(LOOK_MS);
    }
  }

  async #isOnDisk(threadId: string, has: (record: Rollout) => boolean): Promise<boolean> {
    const rollout = this.#rollouts.get(threadId) ?? (await this.#open(threadId));
    await rollout?.readAppended();
    return rollout !== undefined && has(rollout);
  }

  async #open(threadId: string): Promise<Rollout | undefined> {
    const now = performance.now();
    if (!this.#isOver && now - (this.#missed.get(threadId) ?? -FIND_MS) < FIND_MS) return undefined;
    this.#missed.set(threadId, now);
    const path = await this.#find(threadId);
    if (path === undefined) return undefined;
    const rollout = new Rollout(path);
    this.#rollouts.set(threadId, rollout);
    return rollout;
  }

  #turns(threadId: string): number {
    return this.#turnsDone.get(threadId) ?? 0;
  }
}

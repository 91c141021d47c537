import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import {
  entryOf,
  GrowingFile,
  isKeptIn,
  type Transcript,
  toolResult,
  transcriptLines,
} from '../run/transcript.ts';
import { outsidePath, type Sandbox } from '../sandbox/arguments.ts';
import { claudeFolder } from './launch.ts';

interface Delivery {
  promise: Promise<boolean>;
  resolve(delivered: boolean): void;
  isSettled: boolean;
  /** Whether the transcript has the answer, so that the agent cannot lose it. */
  isSaved(transcript: Transcript): boolean;
  /** Whether an answer that is still missing after a while will never be in the transcript. */
  isElsewhere(transcript: Transcript | undefined): boolean;
  /** When the agent showed that it has the answer. */
  shownAt: number | undefined;
  /** A message that came while the agent worked: it may end well without having taken it. */
  isAside?: boolean;
}

/** Claude Code saves every tenth of a second. */
const LOOK_MS = 20;
/** A call that is not in the transcript by then will never be. */
const SAVED_MS = 3000;
/** Enough of a note to recognise it. */
const NOTE_LENGTH = 1000;

/** Tracks which answers the agent can no longer lose, by what they answer. An answer given twice is one delivery. */
export class Deliveries {
  readonly #look: () => Promise<Transcript | undefined>;
  readonly #savedMs: number;
  readonly #all = new Map<string, Delivery>();
  #isLooking = false;

  /** `look` reads the transcript. If the agent saves none, an answer counts once the agent shows that it has it. */
  constructor(look: () => Promise<Transcript | undefined>, savesTranscripts = true) {
    this.#look = look;
    this.#savedMs = savesTranscripts ? SAVED_MS : 0;
  }

  has(id: string): boolean {
    return this.#all.has(id);
  }

  of(id: string): Promise<boolean> {
    return this.#delivery(id).promise;
  }

  expect(id: string, isSaved: Delivery['isSaved'], isElsewhere = lacksCall(id)): void {
    Object.assign(this.#delivery(id), { isSaved, isElsewhere });
  }

  /** Tracks a person's note on a permission, sent with the decision on this call or as a separate message. */
  note(callId: string, note: string, isMessage: boolean): Promise<boolean> {
    const id = `note:${callId}`;
    const words = note.trim().slice(0, NOTE_LENGTH);
    const isSaved = ({ messages, results }: Transcript) =>
      messages.some((text) => text.includes(words)) || results.get(callId)?.text.includes(words) === true;
    this.expect(id, isSaved, isMessage ? (transcript) => transcript === undefined : lacksCall(callId));
    this.shown(id);
    return this.of(id);
  }

  /** Tracks what a person said while the agent works. */
  words(id: string, words: string): Promise<boolean> {
    const isSaved = ({ messages }: Transcript) => messages.some((text) => text.includes(words.trim()));
    this.expect(id, isSaved, (transcript) => transcript === undefined);
    this.#delivery(id).isAside = true;
    if (this.#savedMs > 0) this.shown(id);
    return this.of(id);
  }

  /** The agent went on, so it took the messages before. */
  tookMessages(): void {
    for (const [id, { isAside }] of this.#all) if (isAside) this.shown(id);
  }

  /** The agent showed that it has the answer, which counts as delivered once it is saved. */
  shown(id: string): void {
    this.#delivery(id).shownAt ??= Date.now();
    if (!this.#isLooking) void this.#watchUntilSaved();
  }

  /** The agent will never get this answer. */
  refused(id: string): void {
    settle(this.#delivery(id), false);
  }

  /** The process is gone, so what is not saved now never will be. */
  async close(isOk: boolean): Promise<void> {
    const transcript = await this.#look();
    for (const delivery of this.#all.values()) {
      const isShown = delivery.shownAt !== undefined;
      const isSaved = transcript === undefined ? isShown : delivery.isSaved(transcript);
      settle(delivery, isSaved || (isShown && isOk && !delivery.isAside));
    }
  }

  async #watchUntilSaved(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting().length > 0) {
      const transcript = await this.#look();
      for (const delivery of this.#waiting()) {
        const isSaved = transcript !== undefined && delivery.isSaved(transcript);
        const isLate = Date.now() - (delivery.shownAt ?? 0) >= this.#savedMs;
        if (isSaved || (isLate && delivery.isElsewhere(transcript))) settle(delivery, true);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    this.#isLooking = false;
  }

  #waiting(): Delivery[] {
    return [...this.#all.values()].filter(({ isSettled, shownAt }) => !isSettled && shownAt !== undefined);
  }

  #delivery(id: string): Delivery {
    const existing = this.#all.get(id);
    if (existing) return existing;
    let resolve: Delivery['resolve'] = () => undefined;
    const promise = new Promise<boolean>((settled) => {
      resolve = settled;
    });
    const delivery = {
      promise,
      resolve,
      isSettled: false,
      isSaved: () => false,
      isElsewhere: lacksCall(id),
      shownAt: undefined,
    };
    this.#all.set(id, delivery);
    return delivery;
  }
}

/** True if the call belongs to a sub-agent, or if nothing is saved. */
const lacksCall =
  (callId: string): Delivery['isElsewhere'] =>
  (transcript) =>
    !transcript?.calls.has(callId);

function settle(delivery: Delivery, delivered: boolean): void {
  delivery.isSettled = true;
  delivery.resolve(delivered);
}

const MAX_FOLDERS = 20_000;

/** The transcript of one session of Claude Code, read as far as it is written. */
export class TranscriptFile {
  readonly #folder: string | undefined;
  readonly #sessionId: string;
  readonly #reader = new TranscriptReader();
  #file: GrowingFile | undefined;

  constructor(env: Record<string, string | undefined>, sessionId: string, sandbox?: Sandbox) {
    const inside = claudeFolder(env);
    this.#folder = sandbox && inside !== undefined ? outsidePath(sandbox, inside) : inside;
    this.#sessionId = sessionId;
  }

  /** Reads what was written since the last call; undefined if the file does not exist. */
  async look(): Promise<TranscriptReader | undefined> {
    const path = this.#file ? undefined : await this.#find();
    if (path !== undefined) this.#file ??= new GrowingFile(path, (chunk) => this.#reader.push(chunk));
    await this.#file?.readAppended();
    return this.#file && this.#reader;
  }

  /** Claude Code names the folder after its working directory, but not every version does so in the same way. */
  async #find(): Promise<string | undefined> {
    if (this.#folder === undefined || !/^[\w-]{1,100}$/.test(this.#sessionId)) return undefined;
    const projects = join(this.#folder, 'projects');
    const folders = await readdir(projects).catch(() => []);
    for (const folder of folders.slice(0, MAX_FOLDERS)) {
      const path = join(projects, folder, `${this.#sessionId}.jsonl`);
      if (await isKeptIn(this.#folder, path)) return path;
    }
    return undefined;
  }
}

/** Collects from the lines of a transcript, which arrive in pieces, what the session has been told. */
export class TranscriptReader implements Transcript {
  readonly calls = new Set<string>();
  readonly results = new Map<string, { isError: boolean; text: string }>();
  readonly messages: string[] = [];
  readonly #lines = transcriptLines((line) => this.#line(line));

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  #line(line: string): void {
    // Most lines are of other kinds, and need no parsing.
    if (!line.includes('"message"') && !line.includes('"queued_command"')) return;
    const entry = entryOf(line);
    // Messages to a sub-agent are not part of the session that is resumed.
    if (!entry || entry.isSidechain === true) return;
    if (isRecord(entry.message)) this.#tell(entry.type, entry.message);
    if (isRecord(entry.attachment)) this.#attach(entry.attachment);
  }

  /** A message that arrived while the agent was working. */
  #attach({ type, prompt }: JsonRecord): void {
    if (type === 'queued_command' && typeof prompt === 'string') this.messages.push(prompt);
  }

  #tell(type: unknown, { content }: JsonRecord): void {
    if (type !== 'user' && type !== 'assistant') return;
    if (type === 'user' && typeof content === 'string') this.messages.push(content);
    for (const block of Array.isArray(content) ? content.filter(isRecord) : []) {
      if (type === 'assistant' && block.type === 'tool_use') this.calls.add(String(block.id));
      if (type === 'user' && block.type === 'text' && typeof block.text === 'string')
        this.messages.push(block.text);
      if (type === 'user' && block.type === 'tool_result') this.#result(block);
    }
  }

  #result({ tool_use_id, is_error, content }: JsonRecord): void {
    const id = String(tool_use_id);
    // A resumed session may add an error next to a result that it already has.
    if (this.results.get(id)?.isError === false) return;
    const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
    this.results.set(id, toolResult(is_error === true, text));
  }
}

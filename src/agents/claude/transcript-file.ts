import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GrowingFile, isKeptIn } from '../run/transcript.ts';
import { outsidePath, type Sandbox } from '../sandbox/arguments.ts';
import { claudeFolder } from './personal-settings.ts';
import { TranscriptReader } from './transcript-reader.ts';

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

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { findProgram, ownPath } from '../../agents/process/program.ts';
import { record } from '../../agents/stream/agent-reader.ts';
import { type Env, fermataHome } from '../../config/home.ts';
import { readSmall } from '../../files/read-bounded.ts';
import { makeFolder, writeAtOnce } from '../../files/write-at-once.ts';
import { FermataError } from '../../schema/error.ts';

const PLUGIN = 'fermata@fermata';
const MARKETPLACE = 'fermata';

/** What Claude Code changes when a plugin is installed, in its own folder. */
const FILES = ['settings.json', 'plugins/known_marketplaces.json', 'plugins/installed_plugins.json'];
const FOLDERS = ['plugins', 'backups'];
const LIMIT_MS = 60_000;

/** How things were, and how connecting left them. */
const Kept = z.object({
  files: z.record(z.string(), z.object({ before: z.string().nullable(), after: z.string() })),
  created: z.array(z.string()),
});
type Kept = z.infer<typeof Kept>;

/** Connects sessions of Claude Code, through its own plugin commands. */
export class ClaudeConnection {
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  /** The program; undefined if it is not installed. */
  get program(): string | undefined {
    return findProgram('claude', this.#env, homedir());
  }

  /** The commands that connect, as a person would type them. */
  get commands(): string[][] {
    return [
      ['plugin', 'marketplace', 'add', ownPath('plugins')],
      ['plugin', 'install', PLUGIN],
    ];
  }

  /** Whether the plugin is on, and from where: undefined if it is not. */
  get marketplace(): string | undefined {
    const settings = parsed(readSmall(join(this.#folder, 'settings.json')));
    if (record(settings.enabledPlugins)[PLUGIN] !== true) return undefined;
    const { source } = record(record(settings.extraKnownMarketplaces)[MARKETPLACE]);
    return String(record(source).path ?? 'elsewhere');
  }

  async connect(): Promise<void> {
    const known = this.#kept();
    const before = Object.fromEntries(this.#files.map((file) => [file, textOf(file)]));
    const there = new Set(this.#entries());
    for (const args of this.commands) await this.#run(args);
    const created = this.#entries().filter((path) => !there.has(path));
    const files = Object.fromEntries(
      this.#files.map((file) => {
        const earlier = known?.files[file];
        const isAsWeLeftIt = earlier !== undefined && earlier.after === hashOf(before[file]);
        return [
          file,
          { before: isAsWeLeftIt ? earlier.before : (before[file] ?? null), after: hashOf(textOf(file)) },
        ];
      }),
    );
    const kept: Kept = { files, created: [...(known?.created ?? []), ...created] };
    makeFolder(dirname(this.#record));
    writeAtOnce(this.#record, JSON.stringify(kept), 0o600);
  }

  /** Takes it back. A file that nobody has changed since gets its old bytes; otherwise Claude Code removes our part of it. */
  async undo(): Promise<void> {
    const kept = this.#kept();
    const ours = Object.entries(kept?.files ?? {}).filter(
      ([file, { after }]) => hashOf(textOf(file)) === after,
    );
    if (this.marketplace !== undefined) {
      await this.#run(['plugin', 'uninstall', PLUGIN]);
      await this.#run(['plugin', 'marketplace', 'remove', MARKETPLACE]);
    }
    for (const [file, { before }] of ours) {
      if (before === null) rmSync(file, { force: true });
      else writeAtOnce(file, before);
    }
    rmSync(join(this.#folder, 'plugins', 'cache', MARKETPLACE), { recursive: true, force: true });
    // The deepest first, because a folder that we created goes only if it is empty.
    for (const path of [...(kept?.created ?? [])].sort().reverse()) removeOwn(path);
    rmSync(this.#record, { force: true });
  }

  async #run(args: string[]): Promise<void> {
    const { program } = this;
    if (program === undefined) throw new FermataError('not_found', 'Claude Code is not installed.');
    try {
      await promisify(execFile)(program, args, { env: this.#env, cwd: homedir(), timeout: LIMIT_MS });
    } catch (error) {
      const {
        stderr = '',
        stdout = '',
        message,
      } = error as { stderr?: string; stdout?: string; message: string };
      const said = (stderr || stdout || message).trim().slice(-500);
      throw new FermataError('unavailable', `"claude ${args.join(' ')}" failed: ${said}`, { cause: error });
    }
  }

  get #folder(): string {
    return this.#env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude');
  }

  get #files(): string[] {
    const global = this.#env.CLAUDE_CONFIG_DIR ? this.#folder : homedir();
    return [...FILES.map((name) => join(this.#folder, name)), join(global, '.claude.json')];
  }

  #entries(): string[] {
    return FOLDERS.flatMap((name) => {
      const folder = join(this.#folder, name);
      if (!existsSync(folder)) return [];
      const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      return [folder, ...inside.map((path) => join(folder, path))];
    });
  }

  get #record(): string {
    return join(fermataHome(this.#env), 'connected', 'claude.json');
  }

  #kept(): Kept | undefined {
    return Kept.safeParse(parsed(readSmall(this.#record, 64 * 1024 * 1024))).data;
  }
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);
const hashOf = (text: string | null | undefined) =>
  text === null || text === undefined ? '' : createHash('sha256').update(text).digest('hex');

function removeOwn(path: string): void {
  if (!existsSync(path)) return;
  try {
    rmdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') rmSync(path, { force: true });
    else if (code !== 'ENOTEMPTY') throw error;
  }
}

function parsed(text: string | undefined): Record<string, unknown> {
  try {
    return record(JSON.parse(text ?? '{}'));
  } catch {
    return {}; // the agent's own file, which it repairs itself
  }
}

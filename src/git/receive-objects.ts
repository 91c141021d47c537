import { Refusal } from '../schema/refusal.ts';
import { visible } from '../schema/visible.ts';
import { deafEnvironment } from './deaf-config.ts';
import { deafFor } from './deaf-environment.ts';
import { gitError } from './git.ts';
import { type Ended, type PackSender, startGit, startReceiver } from './start-git.ts';

export type { PackSender };

/** Longer than any transfer from a disk. */
const MAX_MS = 5 * 60_000;
/** More than an agent commits. */
const MAX_BYTES = 4 * 1024 ** 3;
/** Larger files are never held in memory as a whole. */
const STREAMED = '32m';
/** What a single delta or tree may claim to need. */
const MAX_ALLOCATED = '1g';

/** For the work of one phase, starting threads takes longer than they save. */
const ONE_THREAD = ['-c', 'pack.threads=1'];
/** The pack is used once; git packs its objects again by itself. */
const QUICK = [...ONE_THREAD, '-c', 'pack.window=0', '-c', 'pack.compression=1'];
/** Makes glibc keep freed memory. Otherwise git would ask the system for new memory for each object. */
const KEEP_MEMORY = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '134217728' };

interface Wanted {
  /** The commits to receive. */
  tips: readonly string[];
  /** Commits that the repository has. */
  known: readonly string[];
  /** Makes git run where it can read the other store, and nothing else. */
  sender(args: string[], env: NodeJS.ProcessEnv): PackSender;
}

/**
 * Receives commits from a store that we do not trust, as a server receives a push from a stranger: the store is only read
 * in a sandbox, and what comes out of it is a pack, whose objects are named by what they contain. Before the pack is
 * stored, git checks each object and whether everything it refers to is there; under a forged name nothing is.
 * Resolves to the object that is false or missing, if there is one.
 */
export async function receiveObjects(commonDir: string, wanted: Wanted): Promise<FalseObject | undefined> {
  const { tips, known } = wanted;
  const revisions = `${[...tips, ...known.map((id) => `^${id}`)].join('\n')}\n`;
  const pack = [...QUICK, '-c', `core.bigFileThreshold=${STREAMED}`, 'pack-objects'];
  const args = [
    ...ONE_THREAD,
    '-c',
    `core.bigFileThreshold=${STREAMED}`,
    'index-pack',
    '--stdin',
    '--strict',
  ];
  const { env } = await deafFor(commonDir);
  const { sent, received } = await startReceiver(commonDir, [...args, `--max-input-size=${MAX_BYTES}`], {
    env: { ...env, ...KEEP_MEMORY, GIT_ALLOC_LIMIT: MAX_ALLOCATED },
    sender: wanted.sender([...pack, '--revs', '--stdout', '--quiet'], senderEnvironment()),
    input: revisions,
    timeoutMs: MAX_MS,
  });
  if (sent.code === 0 && received.code === 0) return undefined;
  refuseFault(commonDir, received);
  const id = sent.code === 0 ? idIn(received.stderr) : (idIn(sent.stderr) ?? idIn(received.stderr));
  return { id, path: id && (await pathOf(id, revisions, wanted)) };
}

/** Nothing of the person's configuration, and no replaced objects. */
function senderEnvironment(): NodeJS.ProcessEnv {
  return {
    ...deafEnvironment(new Map()),
    PATH: process.env.PATH,
    HOME: '/',
    LC_ALL: 'C',
    ...KEEP_MEMORY,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
}

/** Throws if the machine is at fault, not the objects. */
function refuseFault(commonDir: string, received: Ended): void {
  if (
    !/No space left|Disk quota|Permission denied|Read-only file system|unable to create/i.test(
      received.stderr,
    )
  )
    return;
  throw gitError(['index-pack'], { ...received, folder: commonDir, silencedFilters: [] });
}

/** Git names the object in most of its messages. */
const idIn = (stderr: string) => /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/.exec(stderr)?.[0];

/** Where the object is in the commits, as far as the store can be read. */
async function pathOf(id: string, revisions: string, { sender }: Wanted): Promise<string | undefined> {
  const { program, args, env } = sender(['rev-list', '--objects', '--stdin'], senderEnvironment());
  const options = { env, program, input: revisions, maxBytes: 16 * 1024 * 1024, cut: true };
  const { stdout } = await startGit('/', args, options).catch(() => ({ stdout: Buffer.alloc(0) }));
  const line = stdout
    .toString('utf8')
    .split('\n')
    .find((each) => each.startsWith(`${id} `));
  return line?.slice(id.length + 1) || undefined;
}

/** An object whose content is not what its id says. The id is a hash of the content, so only damage or forgery does that. */
export interface FalseObject {
  /** Unknown if git could not say. */
  id: string | undefined;
  path?: string | undefined;
}

/** `what`: whose object it is. `next`: what a person can do. */
export function tampered(what: string, { id, path }: FalseObject, next: string): Refusal {
  const name = id === undefined ? 'an object' : `object ${id}`;
  const at = path ? ` (${visible(path).slice(0, 500)})` : '';
  return new Refusal(
    'tampered',
    `Tampering: ${what} contains ${name}${at}, whose content does not match its id. It was forged or damaged, so what was tested could differ from what is merged. ${next}`,
    { data: { object: id ?? null, path: path ?? null } },
  );
}

import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoted } from '../../schema/command-line.ts';
import { ownProgram, programNames } from '../process/program.ts';

export interface OpenDoor {
  /** `unix:/tmp/…/door`, or `tcp:127.0.0.1:PORT`. */
  address: string;
  /** What an agent needs besides its worktree: the socket, and our commands. */
  folder: string;
  commands: string;
  close(): void;
}

const PREFIX = 'fermata-door-';
/** The system truncates longer socket paths. */
const MAX_SOCKET_PATH_LENGTH = 100;
const PROBE_MS = 1000;
/** A younger folder may belong to a run whose socket is bound but not yet listening, which also refuses connections. */
const YOUNG_MS = 10_000;

/**
 * Listens in a new folder that other users can enter but not list, because an agent may run as another user. The token is
 * the secret, not the path.
 */
export async function listen(serve: (socket: Socket) => void): Promise<OpenDoor> {
  await removeStale();
  if (folders.size === 0) process.once('exit', removeAll);
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  folders.add(folder);
  const commands = makeCommandsFolder(folder);
  chmodSync(folder, 0o711);
  const server = createServer(serve).unref();
  const address = await listenAt(server, join(folder, 'door'));
  server.on('error', () => undefined); // a client that we cannot accept, because too many files are open
  const close = () => {
    server.close();
    remove(folder);
    folders.delete(folder);
    if (folders.size === 0) process.off('exit', removeAll);
  };
  return { address, folder, commands, close };
}

/** The folders of our open doors. */
const folders = new Set<string>();
const removeAll = () => folders.forEach(remove);
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

async function listenAt(server: Server, path: string): Promise<string> {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_LENGTH) {
    await listening(server, { path });
    chmodSync(path, 0o666);
    return `unix:${path}`;
  }
  await listening(server, { host: '127.0.0.1', port: 0 });
  const bound = server.address();
  return `tcp:127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
}

function listening(server: Server, place: { path: string } | { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Removes what a killed run left behind: nobody listens there any more. */
async function removeStale(): Promise<void> {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX));
  const others = names.map((name) => join(tmpdir(), name)).filter((folder) => !folders.has(folder));
  await Promise.all(others.map(removeIfStale));
}

async function removeIfStale(folder: string): Promise<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== process.getuid?.()) return;
  if (Date.now() - found.mtimeMs < YOUNG_MS) return;
  const refused = await new Promise<boolean>((resolve) => {
    // A suspended run never closes its end, so an open connection to it would keep this process alive.
    const socket = connect(join(folder, 'door'), () => socket.destroy());
    socket.setTimeout(PROBE_MS, () => socket.destroy());
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
    socket.once('close', () => resolve(false));
  });
  if (refused) remove(folder);
}

/** Creates a folder for an agent's PATH in which our commands, under all their names, are those of this installation. */
export function makeCommandsFolder(parent: string): string {
  const folder = join(parent, 'bin');
  mkdirSync(folder);
  const script = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(ownProgram('fermata.cjs'))} "$@"\n`;
  for (const name of programNames) {
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  chmodSync(folder, 0o755);
  return folder;
}

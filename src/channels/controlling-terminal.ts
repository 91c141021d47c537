import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { TerminalIo } from './terminal.ts';

export interface ControllingTerminal extends TerminalIo {
  close(): void;
}

/** The terminal that this process was started from, whatever its stdin and stdout are; undefined if there is none. */
export function openControllingTerminal(): ControllingTerminal | undefined {
  if (isInBackground()) return undefined;
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r'));
    const output = new WriteStream(openSync('/dev/tty', 'w'));
    const close = () => {
      input.destroy();
      output.destroy();
    };
    return { input, output, close };
  } catch {
    return undefined; // started by a service, a pipeline or an agent: there is no person
  }
}

/** The system stops a background process that reads from its terminal, and nobody would see why. */
function isInBackground(): boolean {
  const [group, foreground] = processGroups();
  return foreground !== undefined && group !== foreground;
}

/** The process group of this process, and the foreground group of its terminal. */
function processGroups(): string[] {
  if (existsSync('/proc/self/stat')) {
    const fields = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\)/s, '').trim().split(' ');
    return [fields[2] ?? '', fields[5] ?? ''];
  }
  // One option per column, because the ps of macOS takes everything after the first `=` as a heading.
  const columns = ['-o', 'pgid=', '-o', 'tpgid='];
  const { stdout } = spawnSync('ps', [...columns, '-p', String(process.pid)], { encoding: 'latin1' });
  return (stdout ?? '').trim().split(/\s+/);
}

import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { TerminalIo } from './terminal.ts';

export interface ControllingTerminal extends TerminalIo {
  close(): void;
}

/** The terminal that this process was started from, whatever its stdin and stdout are; undefined where there is none. */
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
    return undefined; // started by a service, a pipeline or an agent: nobody sits there
  }
}

/** A background process that reads from its terminal is stopped by the system, and nobody would see why. */
function isInBackground(): boolean {
  const [group, foreground] = processGroups();
  return foreground !== undefined && group !== foreground;
}

/** The group of this process, and the one that its terminal listens to. */
function processGroups(): string[] {
  if (existsSync('/proc/self/stat')) {
    const fields = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\)/s, '').trim().split(' ');
    return [fields[2] ?? '', fields[5] ?? ''];
  }
  // One option for each column: to the ps of macOS, what follows the first `=` is a heading.
  const columns = ['-o', 'pgid=', '-o', 'tpgid='];
  const { stdout } = spawnSync('ps', [...columns, '-p', String(process.pid)], { encoding: 'latin1' });
  return (stdout ?? '').trim().split(/\s+/);
}

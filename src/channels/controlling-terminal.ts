import { openSync, readFileSync } from 'node:fs';
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
  if (process.platform !== 'linux') return false;
  const fields = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\)/s, '').trim().split(' ');
  const [, , group, , , foreground] = fields;
  return group !== foreground;
}

import { printable } from '../channels/printable.ts';
import { describeDuration } from '../config/duration.ts';
import { tell } from './output.ts';

/** What goes on for a while. */
export interface Progress {
  /** Ends it with a line about what came of it; without one, nothing more is shown. */
  end(text?: string): void;
}

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const FRAME_MS = 100;
const ERASE = '\r\x1b[K';

/** Shows that something is under way: a spinner with the time on a terminal, a plain line elsewhere. */
export function startProgress(text: string): Progress {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === 'dumb') {
    tell(text);
    return { end: (line) => line !== undefined && tell(line) };
  }
  const began = performance.now();
  let frame = 0;
  const draw = () => {
    const time = describeDuration((performance.now() - began) / 1000);
    const line = `${FRAMES[frame++ % FRAMES.length]} ${printable(text)} ${time}`;
    stderr.write(`${ERASE}${line.slice(0, (stderr.columns || 80) - 1)}`);
  };
  const timer = setInterval(draw, FRAME_MS);
  draw();
  return {
    end: (line) => {
      clearInterval(timer);
      stderr.write(ERASE);
      if (line !== undefined) tell(line);
    },
  };
}

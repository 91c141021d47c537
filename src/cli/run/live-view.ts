import { width } from '../../channels/width.ts';
import { visible } from '../../schema/visible.ts';
import { type RunView, renderRun, type Screen } from './render-run.ts';

const MOST_MESSAGES = 200;

/** A few lines at the bottom of the terminal that show where everything stands; messages scroll by above them. */
export class LiveView {
  readonly #stream: NodeJS.WriteStream;
  #view: RunView | undefined;
  #drawn: readonly string[] = [];
  #isPaused = false;
  #isOver = false;
  /** What was told meanwhile. */
  #kept: string[] = [];

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  show(view: RunView): void {
    this.#view = view;
    this.#redraw();
  }

  /** A message that stays. */
  tell(text: string): void {
    this.#kept.push(`${visible(text)}\n`);
    this.#redraw();
  }

  /** While somebody is asked a question here, nothing else moves on the screen. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#redraw();
  }

  /** Only the messages stay. */
  stop(): void {
    this.#isOver = true;
    this.#isPaused = false;
    this.#redraw();
  }

  /** All in one piece, so that nothing flickers. */
  #redraw(): void {
    const screen = { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 };
    const isStill = this.#stream.isTTY && this.#isPaused;
    const isShown = this.#stream.isTTY && !isStill && !this.#isOver;
    const lines = isShown && this.#view ? renderRun(this.#view, screen) : [];
    const messages = isStill ? '' : lastOf(this.#kept.splice(0)).join('');
    if (messages === '' && lines.join('\n') === this.#drawn.join('\n')) return;
    const erased = erasing(this.#drawn, screen);
    this.#drawn = lines;
    this.#stream.write(erased + messages + lines.map((line) => `${line}\n`).join(''));
  }
}

/** Somebody may think about a question for a day: what is told then is what they can read. */
function lastOf(messages: string[]): string[] {
  const left = messages.length - MOST_MESSAGES;
  return left > 0 ? [`… ${left} earlier messages\n`, ...messages.slice(-MOST_MESSAGES)] : messages;
}

/** Lines that were drawn in a wider window take more of them now. */
function erasing(drawn: readonly string[], { columns, rows }: Screen): string {
  const height = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0);
  return height === 0 ? '' : `\r\u001b[${Math.min(height, rows)}A\u001b[J`;
}

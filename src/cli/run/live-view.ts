import type { Above } from '../../channels/line-reader.ts';
import { width } from '../../channels/wrap.ts';
import { visible } from '../../schema/visible.ts';
import { type RunView, renderRun, type Screen } from './render-run.ts';

const MAX_MESSAGES = 200;
/** As for a screen of this height, so that the question stays in view. */
const ROWS_ABOVE = 12;

/** A few lines at the bottom of the terminal that show the status; messages scroll by above them. */
export class LiveView {
  readonly #stream: NodeJS.WriteStream;
  #view: RunView | undefined;
  #drawn: readonly string[] = [];
  #isPaused = false;
  #isOver = false;
  #redrawAbove: (() => void) | undefined;
  /** Messages that arrived during a pause. */
  #kept: string[] = [];

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  show(view: RunView): void {
    this.#view = view;
    this.#redraw();
  }

  /** Prints a message that stays. */
  tell(text: string): void {
    this.#kept.push(`${visible(text)}\n`);
    this.#redraw();
  }

  /** While a person is asked a question here, the view is above the prompt, and short. */
  readonly above: Above = {
    lines: () => {
      if (!this.#stream.isTTY || !this.#view) return [];
      const columns = this.#stream.columns || 80;
      const rows = Math.min(ROWS_ABOVE, this.#stream.rows || 24);
      return renderRun(this.#view, { columns, rows }, true);
    },
    onChange: (redraw) => {
      this.#redrawAbove = redraw;
    },
  };

  /** While a person is asked a question here, messages wait. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#redraw();
  }

  /** Leaves only the messages. */
  stop(): void {
    this.#isOver = true;
    this.#isPaused = false;
    this.#redraw();
  }

  /** In a single write, so that nothing flickers. */
  #redraw(): void {
    const screen = { columns: this.#stream.columns || 80, rows: this.#stream.rows || 24 };
    const isStill = this.#stream.isTTY && this.#isPaused;
    const isShown = this.#stream.isTTY && !isStill && !this.#isOver;
    const lines = isShown && this.#view ? renderRun(this.#view, screen) : [];
    const messages = isStill ? '' : lastOf(this.#kept.splice(0)).join('');
    if (isStill) this.#redrawAbove?.();
    if (messages === '' && lines.join('\n') === this.#drawn.join('\n')) return;
    const erased = erasing(this.#drawn, screen);
    this.#drawn = lines;
    this.#stream.write(erased + messages + lines.map((line) => `${line}\n`).join(''));
  }
}

/** A person may think about a question for a day, so only as many messages are kept as they can read. */
function lastOf(messages: string[]): string[] {
  const left = messages.length - MAX_MESSAGES;
  return left > 0 ? [`… ${left} earlier messages\n`, ...messages.slice(-MAX_MESSAGES)] : messages;
}

/** Lines drawn in a wider window wrap to more lines now. */
function erasing(drawn: readonly string[], { columns, rows }: Screen): string {
  const height = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / columns)), 0);
  return height === 0 ? '' : `\r\u001b[${Math.min(height, rows)}A\u001b[J`;
}

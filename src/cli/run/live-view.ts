import { printable } from '../../channels/printable.ts';
import { type PhaseLine, renderRun } from './render-run.ts';

/** A few lines at the bottom of the terminal that show where everything stands; messages scroll by above them. */
export class LiveView {
  readonly #stream: NodeJS.WriteStream;
  #phases: readonly PhaseLine[] = [];
  #drawn = 0;
  #hidden = false;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  show(phases: readonly PhaseLine[]): void {
    this.#phases = phases;
    this.#redraw();
  }

  /** A message that stays. */
  tell(text: string): void {
    this.#erase();
    this.#stream.write(`${printable(text)}\n`);
    this.#draw();
  }

  /** While somebody is asked a question here, nothing else moves on the screen. */
  hide(hidden: boolean): void {
    this.#hidden = hidden;
    this.#redraw();
  }

  #redraw(): void {
    this.#erase();
    this.#draw();
  }

  #draw(): void {
    if (!this.#stream.isTTY || this.#hidden) return;
    const lines = renderRun(this.#phases, this.#stream.columns ?? 80);
    this.#stream.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawn = lines.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#stream.write(`\u001b[${this.#drawn}A\u001b[J`);
    this.#drawn = 0;
  }
}

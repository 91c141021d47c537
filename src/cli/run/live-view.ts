import { printable } from '../../channels/printable.ts';
import { type PhaseLine, renderRun } from './render-run.ts';

/** A few lines at the bottom of the terminal that show where everything stands; messages scroll by above them. */
export class LiveView {
  readonly #stream: NodeJS.WriteStream;
  #phases: readonly PhaseLine[] = [];
  #drawn = 0;
  #hidden = false;
  #heldBack: string[] = [];

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  show(phases: readonly PhaseLine[]): void {
    this.#phases = phases;
    this.#redraw();
  }

  /** A message that stays. */
  tell(text: string): void {
    const line = `${printable(text)}\n`;
    if (this.#hidden && this.#stream.isTTY) {
      this.#heldBack.push(line);
      return;
    }
    this.#erase();
    this.#stream.write(line);
    this.#draw();
  }

  /** While somebody is asked a question here, nothing else moves on the screen; it is told afterwards. */
  hide(hidden: boolean): void {
    this.#hidden = hidden;
    this.#erase();
    if (!hidden) this.#tellHeldBack();
    this.#draw();
  }

  /** The end: what was held back is told, and no view is left. */
  stop(): void {
    this.hide(true);
    this.#tellHeldBack();
  }

  #tellHeldBack(): void {
    this.#stream.write(this.#heldBack.splice(0).join(''));
  }

  #redraw(): void {
    this.#erase();
    this.#draw();
  }

  #draw(): void {
    if (!this.#stream.isTTY || this.#hidden || this.#phases.length === 0) return;
    const lines = renderRun(this.#phases, this.#stream.columns ?? 80);
    this.#stream.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawn = lines.length;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#stream.write(`\u001b[${this.#drawn}A\u001b[J`);
    this.#drawn = 0;
  }
}

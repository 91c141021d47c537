import { visible } from '../schema/visible.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** One line on stderr with the current activity, for a person at a terminal; nothing without one. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr) {
  let text = '';
  let frame = 0;
  const draw = () => {
    frame = (frame + 1) % frames.length;
    const room = Math.max(10, (stream.columns ?? 80) - 3);
    stream.write(`\r\u001b[K${frames[frame]} ${[...text].slice(0, room).join('')}`);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    show(message: string): void {
      if (!stream.isTTY) return;
      text = visible(message).replaceAll('\n', ' ');
      timer ??= setInterval(draw, 80).unref();
      draw();
    },
    /** Removes the line, so that something else can be written there. */
    clear(): void {
      clearInterval(timer);
      if (timer !== undefined) stream.write('\r\u001b[K');
      timer = undefined;
    },
  };
}

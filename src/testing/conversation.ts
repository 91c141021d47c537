import { StringDecoder } from 'node:string_decoder';
import type { ControlHost } from './control-host.ts';
import type { Stage } from './stage.ts';
import { Turn, type TurnEnd, type TurnInput } from './turn.ts';

/** Plays turn after turn until there is no more input; resolves to the exit code. */
export async function converse(stage: Stage, host: ControlHost, inbox: Inbox): Promise<number> {
  let end: TurnEnd = { code: 0, now: false };
  const play = async (input: TurnInput) => {
    stage.tellState('running');
    end = await new Turn(stage, input).play();
    stage.tellState('idle');
  };
  const { parked } = stage.session.standing;
  if (parked) {
    if (stage.behaviour.hookOnResume) await host.initialized;
    await play({ parked });
  }
  while (!end.now) {
    const prompt = await inbox.next();
    if (prompt === undefined) break;
    await play({ prompt });
  }
  return end.code;
}

/** Reads the input: control messages go to the host, messages of a person to the inbox. Fails on a line that is not JSON. */
export function listen(
  input: NodeJS.ReadStream,
  host: ControlHost,
  inbox: Inbox,
  fail: (line: string) => void,
): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  input.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line, host, inbox, fail);
  });
  input.on('end', () => {
    if (rest !== '') hear(rest, host, inbox, fail);
    inbox.close();
    host.close();
  });
}

function hear(line: string, host: ControlHost, inbox: Inbox, fail: (line: string) => void): void {
  if (line.trim() === '') return;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    fail(line);
    return;
  }
  if (typeof message !== 'object' || message === null) return;
  const { type, message: said } = message as { type?: unknown; message?: { content?: unknown } };
  if (type === 'user') inbox.add(textOf(said?.content));
  else host.receive(message as Record<string, unknown>);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((block: { text?: unknown }) => (typeof block.text === 'string' ? block.text : ''))
    .join('\n');
}

/** Messages of the person that no turn has taken yet. */
export class Inbox {
  readonly #messages: string[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  add(message: string): void {
    this.#messages.push(message);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The next message, as soon as there is one; undefined when no more will come. */
  async next(): Promise<string | undefined> {
    while (this.#messages.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift();
  }

  takeAll(): string[] {
    return this.#messages.splice(0);
  }
}

import type { GateMaterial } from '../../schema/gate.ts';
import { limits } from '../../schema/limits.ts';

/** Something to look at before answering a gate; `whole` says where the full text is if it does not fit. */
export interface Material extends GateMaterial {
  whole?: string;
}

const MAX_LENGTH = 200_000;
const MIN_LENGTH = 1000;
const MAX_BYTES = limits.materialBytes - 128 * 1024;

/**
 * Everything has to fit into one notification. A text that was cut says so in its first line, with its size and where the
 * rest is.
 */
export function fitMaterial(pieces: Material[]): GateMaterial[] {
  const most = limits.material - 1;
  const left = pieces.slice(most).map(({ title }) => title);
  const shown = pieces.slice(0, most);
  let longest = MAX_LENGTH;
  let fitted = shown.map((piece) => cut(piece, longest));
  while (bytesOf(fitted) > MAX_BYTES && longest > MIN_LENGTH) {
    longest /= 2;
    fitted = shown.map((piece) => cut(piece, longest));
  }
  if (left.length === 0) return fitted;
  const named = { kind: 'text' as const, title: `NOT SHOWN: ${left.length} more`, text: left.join('\n') };
  return [...fitted, cut(named, MIN_LENGTH)];
}

function cut({ whole, title, ...piece }: Material, longest: number): GateMaterial {
  const { text } = piece;
  const short = title.slice(0, limits.header);
  if (text.length <= longest) return { ...piece, title: short };
  const size = `the first ${longest.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters`;
  const note = `INCOMPLETE: these are ${size}.${whole ? ` ${whole}` : ''}`;
  return { ...piece, title: short, text: `${note}\n\n${text.slice(0, longest)}\n${note}` };
}

const bytesOf = (pieces: GateMaterial[]) => Buffer.byteLength(JSON.stringify(pieces));

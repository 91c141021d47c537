import { LineReader } from '../channels/line-reader.ts';

/** Asks a person at this terminal; everything but yes is a no. `usually`: Enter is a yes. */
export async function confirm(
  question: string,
  { signal, usually = false }: { signal?: AbortSignal; usually?: boolean } = {},
): Promise<boolean> {
  const reader = new LineReader(process.stdin, process.stderr);
  try {
    const line = await reader.read(`${question} (${usually ? 'Y/n' : 'y/N'}) › `, signal);
    return typeof line === 'string' && (usually ? /^(?:y(?:es)?)?$/i : /^y(?:es)?$/i).test(line.trim());
  } finally {
    reader.close();
  }
}

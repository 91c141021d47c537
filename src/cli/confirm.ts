import { LineReader } from '../channels/line-reader.ts';

/** Asks a person at this terminal; everything but yes is a no. */
export async function confirm(question: string, signal?: AbortSignal): Promise<boolean> {
  const reader = new LineReader(process.stdin, process.stderr);
  try {
    const line = await reader.read(`${question} (y/N) › `, signal);
    return typeof line === 'string' && /^y(?:es)?$/i.test(line.trim());
  } finally {
    reader.close();
  }
}

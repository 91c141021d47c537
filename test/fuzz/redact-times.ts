import { redactor } from '../../src/ledger/redact/redact.ts';
import { leastTime } from '../support/least-time.ts';

/** Prints the milliseconds for 64 KiB of hostile and of harmless text, in a process that does nothing else. */
const redact = redactor({});
const texts = ['-eyJ', 'The quick brown fox jumps over the lazy dog. '].map((piece) =>
  piece.repeat(65_536).slice(0, 65_536),
);
// In turns, because the machine may be slow for a moment.
const rounds = Array.from({ length: 20 }, () => texts.map((text) => leastTime(() => redact(text), 30)));
const least = texts.map((_, index) => Math.min(...rounds.map((times) => times[index] ?? Infinity)));
process.stdout.write(JSON.stringify(least));

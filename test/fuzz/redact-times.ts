import { redactor } from '../../src/ledger/redact/redact.ts';
import { leastTime } from '../support/least-time.ts';

/** Prints the milliseconds for 64 KiB of hostile and of harmless text, in a process that does nothing else. */
const redact = redactor({});
const texts = ['-eyJ', 'The quick brown fox jumps over the lazy dog. '].map((piece) =>
  piece.repeat(65_536).slice(0, 65_536),
);
const measure = () => texts.map((text) => leastTime(() => redact(text), 100));
measure(); // compiled for both before either counts
process.stdout.write(JSON.stringify(measure()));

import { DONE } from './read-progress.ts';

/** The first line of a progress file that a newer one would lose. Boxes and the status may change. */
export function lostLine(before: string, after: string): { line: number; text: string } | undefined {
  const kept = new Set(after.split(/\r\n|\n/).map(unmarked));
  const lines = before.split(/\r\n|\n/);
  const at = lines.findIndex((line) => !kept.has(unmarked(line)) && !isStatus(line));
  return at < 0 ? undefined : { line: at + 1, text: (lines[at] ?? '').trim().slice(0, 80) };
}

const unmarked = (line: string) => line.replace(/\[[xX]\]/, '[ ]').trim();
const isStatus = (line: string) => line.includes(DONE) || line.trim() === 'In Progress';

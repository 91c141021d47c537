import { cpuTime } from './cpu-time.ts';

/** The shortest of several attempts, because whatever else the machine does only adds to the time. */
export function leastTime(work: () => unknown, attempts = 15): number {
  return Math.min(...Array.from({ length: attempts }, () => cpuTime(work)));
}

import { spawnSync } from 'node:child_process';
import { type Figure, size } from './budget.ts';

/** The median time of a call in milliseconds: the best of some rounds, so that a busy machine does not count. */
export async function timed(work: () => unknown, { rounds = 5, calls = 60 } = {}): Promise<number> {
  const medians: number[] = [];
  for (let round = 0; round < size(rounds, 1); round++) {
    const times: number[] = [];
    for (let n = 0; n < size(calls, 1); n++) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
    medians.push(spread(times).p50);
  }
  return Math.min(...medians);
}

/** The p50 and p99 of some times; the budget is for the second. */
export function latency(what: string, times: readonly number[], budget: Partial<Figure> = {}): Figure[] {
  const { p50, p99 } = spread(times);
  return [
    { what: `${what}, p50`, value: p50, unit: 'ms' },
    { what: `${what}, p99`, value: p99, unit: 'ms', ...budget },
  ];
}

export function spread(times: readonly number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** How long a program took and what it printed; throws unless it ends with `expected`. */
export function runProgram(
  program: string,
  args: readonly string[],
  { expected = 0, ...options }: { expected?: number; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): { wall: number; stdout: string } {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const wall = performance.now() - start;
  if (status !== expected)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr || stdout.slice(0, 2000)}`);
  return { wall, stdout };
}

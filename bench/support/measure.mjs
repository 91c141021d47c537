/** The median time of a call in milliseconds: the best of some rounds, so that a busy machine does not count. */
export async function timed(work, { rounds = 5, calls = 60 } = {}) {
  const medians = [];
  for (let round = 0; round < rounds; round++) {
    const times = [];
    for (let n = 0; n < calls; n++) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
    medians.push(spread(times).p50);
  }
  return Math.min(...medians);
}

/**
 * The p50 and p99 of some times; the budget is for the second.
 * @param {string} what
 * @param {number[]} times
 */
export function latency(what, times, budget = {}) {
  const { p50, p99 } = spread(times);
  return [
    { what: `${what}, p50`, value: p50, unit: 'ms' },
    { what: `${what}, p99`, value: p99, unit: 'ms', ...budget },
  ];
}

/** @param {number[]} times */
export function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

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

/** @param {number[]} times */
export function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

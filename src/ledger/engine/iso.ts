const times = new Map<number, string>();

/** Cached, because everything in a transaction happens at the same time. */
export function iso(ms: number): string {
  const known = times.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (times.size >= 100) times.clear();
  times.set(ms, text);
  return text;
}

/** Removes the character NUL, which PostgreSQL cannot store in a text; both stores keep the same. */
export function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

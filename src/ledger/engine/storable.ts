/** PostgreSQL has no room for the character NUL in a text; both stores keep the same, so neither has. */
export function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

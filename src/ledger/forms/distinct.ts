/** The same texts, with ` (2)`, ` (3)` … appended to repeated ones. */
export function distinct(texts: readonly string[]): string[] {
  const given = new Set(texts);
  const used = new Set<string>();
  return texts.map((text) => {
    let name = text;
    for (let n = 2; used.has(name) || (name !== text && given.has(name)); n++) name = `${text} (${n})`;
    used.add(name);
    return name;
  });
}

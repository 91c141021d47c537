const removals = new Set<() => void>();

/** Something that is created on first use and lives as long as one test file. The files of a worker share their modules. */
export function perFile<T>(make: () => T, remove: (made: T) => void): () => T {
  let current: { made: T } | undefined;
  return () => {
    if (current) return current.made;
    const made = make();
    current = { made };
    removals.add(() => {
      current = undefined;
      remove(made);
    });
    return made;
  };
}

export function removeAll(): void {
  for (const remove of removals) remove();
  removals.clear();
}

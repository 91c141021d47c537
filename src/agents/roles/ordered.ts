/** Whether every position names another entry of the list, and there is no cycle. */
export function isOrdered(list: { dependsOn: number[] }[]): boolean {
  const done = new Set<number>();
  const isPosition = (position: number) =>
    Number.isInteger(position) && position >= 0 && position < list.length;
  if (!list.every(({ dependsOn }) => dependsOn.every(isPosition))) return false;
  for (let before = -1; before !== done.size; ) {
    before = done.size;
    for (const [index, { dependsOn }] of list.entries()) {
      if (dependsOn.every((position) => done.has(position))) done.add(index);
    }
  }
  return done.size === list.length;
}

export const NOT_ORDERED =
  'dependsOn must name positions in the list, and entries must not depend on each other in a circle';

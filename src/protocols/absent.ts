import { isScalar, type Node } from 'yaml';

/** Nothing, `null` and `~` are the same to an author. */
export function isAbsent(node: Node | null | undefined): boolean {
  return !node || (isScalar(node) && node.value === null);
}

import { isScalar, type Node } from 'yaml';

/** An author may write nothing, `null` or `~`; all mean the same. */
export function isAbsent(node: Node | null | undefined): boolean {
  return !node || (isScalar(node) && node.value === null);
}

import { isAbsolute, relative } from 'node:path';

/** How records name a plan: relative to the top of the checkout if it is inside, so that it is the same in each. */
export function planOnRecord(top: string, folder: string): string {
  const inside = relative(top, folder) || '.';
  return inside.startsWith('..') || isAbsolute(inside) ? folder : inside;
}

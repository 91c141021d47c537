import { Refusal } from '../schema/refusal.ts';
import { visible } from '../schema/visible.ts';

/** An object whose content is not what its id says. The id is a hash of the content, so only damage or forgery does that. */
export interface FalseObject {
  /** Unknown if git could not say. */
  id: string | undefined;
  path?: string | undefined;
}

/** `what`: whose object it is. `next`: what a person can do. */
export function tampered(what: string, { id, path }: FalseObject, next: string): Refusal {
  const name = id === undefined ? 'an object' : `object ${id}`;
  const at = path ? ` (${visible(path).slice(0, 500)})` : '';
  return new Refusal(
    'tampered',
    `Tampering: ${what} contains ${name}${at}, whose content does not match its id. It was forged or damaged, so what was tested could differ from what is merged. ${next}`,
    { data: { object: id ?? null, path: path ?? null } },
  );
}

import { FermataError } from '../schema/error.ts';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;

/** A name from outside becomes part of a path. */
export function requirePlanName(name: string): void {
  if (!NAME.test(name))
    throw new FermataError(
      'invalid',
      `"${name.slice(0, 200)}" cannot name a plan. Use up to 100 letters, digits, dots, dashes and underscores.`,
    );
}

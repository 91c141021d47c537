import { shownFrom } from '../files/shown-from.ts';

/** A path as a person here would write it. */
export const shownPath = (path: string): string => shownFrom('', path);

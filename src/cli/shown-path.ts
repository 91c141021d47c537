import { shownFrom } from '../files/shown-from.ts';

/** A path as a person would write it in this folder. */
export const shownPath = (path: string): string => shownFrom('', path);

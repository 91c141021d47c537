import { FermataError } from '../../schema/error.ts';

/** Where a page of a time-ordered list ended. */
export interface Cursor {
  at: number;
  id: string;
}

/** Takes the time in its displayed form. */
export const writeCursor = (time: string, id: string) => `${Date.parse(time)}.${id}`;

export function readCursor(cursor: string): Cursor {
  const [, at, id] = /^(\d{1,16})\.(.{1,200})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw noCursor(cursor);
  return { at: Number(at), id };
}

export function noCursor(cursor: string): FermataError {
  return new FermataError('invalid', `"${cursor}" is not a valid cursor. Use "next" from the previous page.`);
}

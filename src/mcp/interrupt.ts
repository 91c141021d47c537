/** A client that gives up on a slow call may ask for the answer later; one whose turn was broken off will not. */
export const isInterrupt = (reason: unknown) =>
  typeof reason === 'string' &&
  /abort|cancel|interrupt/i.test(reason) &&
  !/time[ds]?[ -]?out|deadline|exceed|expire|elapse/i.test(reason);

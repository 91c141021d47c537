const NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL'.split(
    ' ',
  );

export const countSigns = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + (line.match(/[\u2400-\u2421]/g)?.length ?? 0), 0);

/** A part of a visible line: text, or one sign for a control character with its name. */
export type Part = string | { sign: string; name: string };

/** A page writes the names of the signs from `␀` to `␡`, because few fonts have them. */
export function withSigns(line: string): Part[] {
  return line.split(/([\u2400-\u2421])/).flatMap((part, index): Part[] => {
    if (index % 2 === 0) return part === '' ? [] : [part];
    return [{ sign: part, name: NAMES[part.charCodeAt(0) - 0x2400] ?? part }];
  });
}

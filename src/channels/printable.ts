const esc = String.fromCharCode(27);
const bell = String.fromCharCode(7);
/** Sequences that a terminal acts on: CSI (colours, cursor) and OSC (titles, links, clipboard). */
const sequences = new RegExp(
  `${esc}\\[[0-?]*[ -/]*[@-~]|${esc}\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?`,
  'g',
);
/** All other control characters but tab and newline, and those that reverse the direction of reading. */
const controls = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Text from an agent as it may be shown in a terminal: it cannot move the cursor, set colours or hide words. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(sequences, '').replace(controls, '');
}

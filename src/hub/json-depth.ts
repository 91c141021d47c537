const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Whether a JSON text has more arrays and objects in each other than `most`: each level costs whoever walks through it a call. */
export function isDeeperThan(most: number, json: Uint8Array): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (opening.has(byte)) {
      if (++depth > most) return true;
    } else if (closing.has(byte)) depth--;
  }
  return false;
}

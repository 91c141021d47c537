/** Settings as JSON; an unreadable file counts as empty. */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export const print = (settings) => `${JSON.stringify(settings, null, 2)}\n`;

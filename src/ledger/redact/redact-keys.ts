import { counted } from '../../schema/counted.ts';

const WHOLE =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g;

/**
 * Replaces private keys in prose. A key without an end may be truncated, so the rest of the text is replaced too, with a
 * remark.
 */
export function redactKeys(text: string, instead: string): string {
  return text.replace(WHOLE, (found) =>
    /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----$/.test(found)
      ? instead
      : `${instead} (everything after the beginning of a private key: ${counted(found.length, 'character')})`,
  );
}

/** The lines of a complete key, also in a diff. A short last line stays, because it could be a command. */
const LINES =
  /(-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)(?:(?:\\n|\r?\n)[ \t+-]{0,16}[A-Za-z0-9+/]{40,}={0,2})+(?=(?:(?:\\n|\r?\n)[ \t+-]{0,16}[A-Za-z0-9+/]{1,39}={0,2})?(?:\\n|\r?\n)[ \t+-]{0,16}-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)/g;

/** Replaces private keys in what a person approves; hides only lines that cannot be anything else. */
export const redactKeyLines = (text: string, instead: string) => text.replace(LINES, `$1${instead}`);

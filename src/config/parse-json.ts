import { FermataError } from '../schema/error.ts';
import { jsonPositions, lineAndColumn } from './json-positions.ts';

/** The value of a JSON text that a person or a program wrote; an error names the source, the place and the reason. */
export function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const { message } = cause as Error;
    const place = placeOf(text, message);
    throw new FermataError('invalid', `${source}${place}: not valid JSON (${reasonOf(message)}).`, {
      cause,
    });
  }
}

/** In a larger text, our own search for the position would take too long. */
const MAX_SEARCHED = 1024 * 1024;

function placeOf(text: string, message: string): string {
  const told = / at position (\d+)/.exec(message)?.[1];
  const at = text.length <= MAX_SEARCHED ? jsonPositions(text).error : told && Number(told);
  return at === undefined || at === '' ? '' : `, ${lineAndColumn(text, at)}`;
}

/** Node adds the text around the position, which may be long and is in the file anyway. */
function reasonOf(message: string): string {
  return message.replace(/, \.{0,3}".*$|( in JSON)? at position .*$/s, '');
}

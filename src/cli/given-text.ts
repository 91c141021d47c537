import { isUtf8 } from 'node:buffer';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { didYouMean } from '../config/near.ts';
import { FermataError } from '../schema/error.ts';
import { wholeInput } from './recorded-input.ts';

const MAX_LENGTH = 500_000;
/** Anything longer is a text, never a file name. */
const MAX_PATH_LENGTH = 500;

/** A text from a person: as words, in a file, or on stdin for `-`. `what` names it, as in "the idea". */
export async function givenText(given: string | undefined, what: string): Promise<string> {
  const ways = 'as text, a file, or - for stdin';
  if (given === undefined || given.trim() === '') {
    throw new FermataError(
      'invalid',
      `${what.charAt(0).toUpperCase()}${what.slice(1)} is missing. Pass it ${ways}.`,
    );
  }
  const isInput = given === '-' || isFile(given, `Pass ${what} ${ways}.`);
  const text = isInput ? await textIn(given, `Pass ${what} ${ways}.`) : given;
  if (text.trim() === '') throw new FermataError('invalid', `${given} is empty. Write down ${what} first.`);
  if (text.length > MAX_LENGTH) {
    const message = `${given.slice(0, 100)}: ${text.length} characters are too many. Shorten it to ${MAX_LENGTH}.`;
    throw new FermataError('invalid', message);
  }
  return text;
}

async function textIn(file: string, advice: string): Promise<string> {
  const bytes = await wholeInput(file, 4 * MAX_LENGTH, 'Shorten it.');
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  throw new FermataError('invalid', `${file === '-' ? 'stdin' : file} is not UTF-8 text. ${advice}`);
}

/** A word that looks like a file name but does not exist is a typing mistake. */
function isFile(given: string, advice: string): boolean {
  if (given.length >= MAX_PATH_LENGTH || given.includes('\0')) return false;
  const found = statSync(given, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new FermataError('invalid', `${given} is a folder. ${advice}`);
  if (found) return true;
  if (!looksLikePath(given)) return false;
  const near = didYouMean(basename(given), filesBeside(given));
  throw new FermataError(
    'invalid',
    `There is no file ${given}.${near} To pass text instead of a file, quote it.`,
  );
}

const looksLikePath = (given: string) =>
  !/\s/.test(given) && /^(?:\.{0,2}|~)\/|\.[a-z][a-z0-9]{0,4}$/i.test(given);

function filesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    return []; // no such folder, so nothing to suggest
  }
}

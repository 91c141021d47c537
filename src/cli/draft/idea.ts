import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { didYouMean } from '../../config/near.ts';
import { FermataError } from '../../schema/error.ts';

const LONGEST = 500_000;
/** More is a text, and never a file's name. */
const LONGEST_PATH = 500;

/** The idea as a text: given as one, in a file, or on stdin for `-`. */
export function readIdea(idea: string | undefined): string {
  if (idea === undefined || idea.trim() === '') {
    throw new FermataError('invalid', 'What is the idea? Give it as a text, a file, or - for stdin.');
  }
  const text = idea === '-' ? readFileSync(0, 'utf8') : (fromFile(idea) ?? idea);
  if (text.trim() === '') throw new FermataError('invalid', `${idea} is empty. Write down the idea first.`);
  if (text.length > LONGEST) {
    const message = `The idea has ${text.length} characters; at most ${LONGEST} are allowed.`;
    throw new FermataError('invalid', message);
  }
  return text;
}

function fromFile(idea: string): string | undefined {
  if (idea.length >= LONGEST_PATH || idea.includes('\0')) return undefined;
  const found = statSync(idea, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new FermataError(
      'invalid',
      `${idea} is a folder. Give the idea as a text, a file, or - for stdin.`,
    );
  }
  if (found) return readFileSync(idea, 'utf8');
  if (!looksLikePath(idea)) return undefined;
  const near = didYouMean(basename(idea), filesBeside(idea));
  throw new FermataError(
    'invalid',
    `There is no file ${idea}.${near} An idea in words has blanks between them.`,
  );
}

const looksLikePath = (idea: string) =>
  !/\s/.test(idea) && /^(?:\.{0,2}|~)\/|\.[a-z][a-z0-9]{0,4}$/i.test(idea);

function filesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path));
  } catch {
    return []; // no such folder: there is nothing to suggest
  }
}

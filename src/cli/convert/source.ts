import { isUtf8 } from 'node:buffer';
import { slug } from '../../plan/plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import type { Source } from '../../work/kinds/convert.ts';
import { wholeInput } from '../recorded-input.ts';

/** More than a model can read at once. */
const MAX_BYTES = 1024 * 1024;

/** Reads a free-form plan from a file, or from stdin for `-`; refuses what cannot be one before any agent runs. */
export async function readSource(file: string): Promise<Source> {
  const name = file === '-' ? 'stdin' : file;
  const bytes = await wholeInput(file, MAX_BYTES, 'That is too much for an agent. Convert it in parts.');
  const refuse = (why: string) => new FermataError('invalid', `${name} ${why}.`);
  if (!isUtf8(bytes) || bytes.includes(0))
    throw refuse('is not UTF-8 text. Pass the plan as Markdown or plain text');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw refuse('is empty. Write down the plan first');
  return { name, text, ...(file === '-' ? { planName: slug(titleOf(text)) } : {}) };
}

function titleOf(text: string): string {
  return /^#[ \t]+(.+)$/m.exec(text)?.[1] ?? text.trim().split('\n')[0] ?? '';
}

import { readFileSync, statSync } from 'node:fs';
import type { GivenAnswers } from '../../app/plan-from-issues/known.ts';
import { readAnswersFile } from '../../plan/from-issues/answers-file.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';

const LARGEST_FILE = 16 * 1024 * 1024;

/** Reads the file that `--answers-file` names. */
export function givenAnswers(file: string): GivenAnswers {
  try {
    if (statSync(file).size > LARGEST_FILE)
      throw new FermataError('invalid', `${file} is larger than 16 MB.`);
    return { file, answers: readAnswersFile(readFileSync(file, 'utf8'), file) };
  } catch (error) {
    if (error instanceof FermataError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      const advice = `"${cmd`plan-from-issues --questions-only`}" prints the questions to fill in.`;
      throw new FermataError('invalid', `Answers file ${file} not found. ${advice}`, { cause: error });
    }
    throw new FermataError('invalid', `Cannot read ${file}: ${(error as Error).message}.`, { cause: error });
  }
}

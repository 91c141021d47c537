import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FermataError } from '../../schema/error.ts';
import { checkIssues, type Issue } from './issue.ts';
import { issueFromMarkdown } from './issue-markdown.ts';

const LARGEST = 16 * 1024 * 1024;
const markdown = /\.(?:md|markdown)$/i;
const notIssues = /^(?:readme|contributing|license|changelog)\./i;

/** Reads a folder of Markdown files as issues, one each, in the order of their numbers. */
export function issuesFromFolder(folder: string): Issue[] {
  const names = namesIn(folder);
  if (names.length === 0) {
    throw new FermataError('invalid', `${folder} has no Markdown file (*.md). Each issue is one.`);
  }
  const read = names.map((name) => issueFromMarkdown(textOf(join(folder, name)), name.replace(markdown, '')));
  const taken = new Set(read.map(({ number }) => number));
  let next = 1;
  const numbered = read.map((issue) => {
    while (issue.number === undefined && taken.has(next)) next += 1;
    return issue.number === undefined ? { ...issue, number: next++ } : issue;
  });
  return numbered
    .map((issue, index) => checkIssues([issue], join(folder, names[index] ?? ''))[0] as Issue)
    .sort((a, b) => a.number - b.number);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && markdown.test(entry.name) && !notIssues.test(entry.name))
      .map(({ name }) => name)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'there is no such folder'
        : code === 'ENOTDIR'
          ? 'it is a file; use --from-file'
          : (error as Error).message;
    throw new FermataError('invalid', `${folder} cannot be read: ${reason}.`, { cause: error });
  }
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > LARGEST) throw new FermataError('invalid', `${file} is larger than 16 MB.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof FermataError) throw error;
    throw new FermataError('invalid', `${basename(file)} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

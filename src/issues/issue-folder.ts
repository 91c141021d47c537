import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { readBounded } from '../files/read-bounded.ts';
import { realPath } from '../files/real-path.ts';
import { FermataError } from '../schema/error.ts';
import { checkIssues, type Issue } from './issue.ts';

const MAX_SIZE = 16 * 1024 * 1024;
const markdown = /\.(?:md|markdown)$/i;
const notIssues = /^(?:readme|contributing|license|changelog)\./i;

/** Reads a folder of Markdown files as issues, one each, in the order of their numbers. */
export function issuesFromFolder(folder: string): Issue[] {
  const names = namesIn(folder);
  if (names.length === 0) {
    throw new FermataError(
      'invalid',
      `${folder} has no Markdown files (*.md). Put each issue in its own file.`,
    );
  }
  const read = names.map((name) => issueFromMarkdown(textOf(folder, name), name.replace(markdown, '')));
  const taken = onlyOnce(read.flatMap(({ number }) => number ?? []));
  let next = 1;
  const numbered = read.map((issue) => {
    if (issue.number !== undefined && taken.has(issue.number)) return issue;
    while (taken.has(next)) next += 1;
    return { ...issue, number: next++ };
  });
  return numbered
    .map((issue, index) => checkIssues([issue], join(folder, names[index] ?? ''))[0] as Issue)
    .sort((a, b) => a.number - b.number);
}

/** A number that several files share does not count: `2026-03-01-save.md` begins with a date. */
function onlyOnce(numbers: number[]): Set<number> {
  const once = new Set<number>();
  const again = new Set<number>();
  for (const number of numbers) (once.has(number) ? again : once).add(number);
  return new Set([...once].filter((number) => !again.has(number)));
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
        ? 'the folder does not exist'
        : code === 'ENOTDIR'
          ? 'it is a file; "issues analyze" and "plan-from-issues" read one with --from-file'
          : (error as Error).message;
    throw new FermataError('invalid', `Cannot read ${folder}: ${reason}.`, { cause: error });
  }
}

/** Refuses links out of the folder, because it may come from somebody else, and its content goes to an agent. */
function textOf(folder: string, name: string): string {
  const file = join(folder, name);
  if (pointsOutside(folder, file))
    throw new FermataError('invalid', `${file} is a link that points outside the folder. Remove it.`);
  const text = readBounded(file, MAX_SIZE, 'Remove it from the folder.');
  if (text === undefined) throw new FermataError('invalid', `${file} is a broken link.`);
  if (text.includes('\0'))
    throw new FermataError('invalid', `${file} is not a text file. Remove it from the folder.`);
  return text;
}

function pointsOutside(folder: string, file: string): boolean {
  if (!lstatSync(file).isSymbolicLink() || !existsSync(file)) return false;
  return !realPath(file).startsWith(`${realPath(folder)}${sep}`);
}

/** An issue as stored in a file; the folder assigns a missing number. */
interface MarkdownIssue {
  number: number | undefined;
  title: string;
  body: string;
  labels: string[];
  assignees: string[];
  state: string | undefined;
  milestone: string | undefined;
  url: string | undefined;
}

/**
 * Title and number come from the lines between `---` at the top (`title`, `number`, `labels`, …), else from the first
 * heading and from the file's name (`012-save-fails.md`).
 */
function issueFromMarkdown(source: string, fileName: string): MarkdownIssue {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const { fields, rest } = frontMatter(text);
  const heading = /^\s*#[ \t]+(\S.{0,299})(?:\n|$)/.exec(rest);
  const number = fields.number ?? /^#?(\d{1,9})(?:\D|$)/.exec(fileName)?.[1];
  return {
    number: number !== undefined && /^\d{1,9}$/.test(number) ? Number(number) : undefined,
    title:
      fields.title ??
      heading?.[1]?.trimEnd().replace(/(?<!\s)\s+#+$/, '') ??
      fileName.replace(/^#?\d+[-_. ]*/, '').replace(/[-_]+/g, ' '),
    body: fields.title === undefined && heading ? rest.slice(heading[0].length) : rest,
    labels: list(fields.labels),
    assignees: list(fields.assignees),
    state: fields.state,
    milestone: fields.milestone,
    url: fields.url,
  };
}

/** `key: value` lines; nothing richer is needed here. */
function frontMatter(text: string): { fields: Record<string, string>; rest: string } {
  if (!text.startsWith('---\n')) return { fields: {}, rest: text };
  const end = text.indexOf('\n---', 3);
  const after = end < 0 ? -1 : text.indexOf('\n', end + 1);
  if (end < 0 || end > 20_000) return { fields: {}, rest: text };
  const fields = text
    .slice(4, end)
    .split('\n')
    .flatMap((line) => {
      const [, key, value] = /^([A-Za-z]\w{0,40}):[ \t]*(.*)$/.exec(line.trimEnd()) ?? [];
      return key && value ? [[key.toLowerCase(), value.replace(/^(["'])(.*)\1$/, '$2')]] : [];
    });
  return { fields: Object.fromEntries(fields), rest: after < 0 ? '' : text.slice(after + 1) };
}

function list(value = ''): string[] {
  return value
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((entry) => entry.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((entry) => entry !== '');
}

import { createHash } from 'node:crypto';
import { FermataError } from '../../schema/error.ts';
import type { Issue } from '../issue.ts';
import type { Access, GitHubClient } from './client.ts';
import { parseRepo } from './repo.ts';
import { withGitHub } from './with-github.ts';

/** A question that a person answered, for its issues. A skipped one has no answer. */
interface AnsweredQuestion {
  question: string;
  answer: string | string[] | undefined;
  issues: number[];
}

/** A comment, exactly as it would be written. */
interface IssueUpdate {
  issue: number;
  text: string;
  /** The marks in the text, one for each answer. */
  marks: string[];
}

/** GitHub's limit is 65,536 characters. */
const MAX_LENGTH = 60_000;
const HEADING = '### Answers to open questions\n';

/**
 * The comments that bring answers to their issues. Leaves out an answer that a comment of the issue already contains, so
 * that nothing is written twice; never writes a skipped question.
 */
export function previewUpdates(answered: AnsweredQuestion[], issues: Issue[]): IssueUpdate[] {
  return issues.flatMap((issue) => {
    const there = issue.comments.map(({ body }) => body).join('\n');
    const entries = answered
      .filter((each) => each.issues.includes(issue.number) && answerText(each) !== undefined)
      .map((each) => entryOf(each))
      .filter(({ mark }) => !there.includes(mark));
    return packed(entries).map((group) => ({
      issue: issue.number,
      text: [HEADING, ...group.map(({ text }) => text)].join('\n'),
      marks: group.map(({ mark }) => mark),
    }));
  });
}

interface Entry {
  text: string;
  mark: string;
}

function entryOf(answered: AnsweredQuestion): Entry {
  const answer = answerText(answered) ?? '';
  const hash = createHash('sha256')
    .update(JSON.stringify([answered.question, answer]))
    .digest('hex');
  const mark = `<!-- fermata:answer ${hash.slice(0, 16)} -->`;
  return { mark, text: `${mark}\n**${quoted(answered.question)}**\n\n${cut(plain(answer))}\n` };
}

function answerText({ answer }: AnsweredQuestion): string | undefined {
  const text = Array.isArray(answer) ? answer.map((each) => `- ${each}`).join('\n') : answer;
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** A question may quote an issue: this prevents mentions and keeps it on one line. */
function quoted(question: string): string {
  return cut(plain(question).replace(/\s+/g, ' ').replaceAll('@', '@\u200b').replaceAll('*', '\\*'));
}

/** Prevents a text from containing one of our marks. */
const plain = (text: string) => text.replaceAll('<!--', '&lt;!--');

const cut = (text: string) =>
  text.length > MAX_LENGTH / 2 - 500 ? `${text.slice(0, MAX_LENGTH / 2 - 500)} …` : text;

function packed(entries: Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let size = MAX_LENGTH;
  for (const entry of entries) {
    size += entry.text.length + 1;
    if (size > MAX_LENGTH) {
      groups.push([]);
      size = entry.text.length;
    }
    groups.at(-1)?.push(entry);
  }
  return groups;
}

type UpdateResult =
  | { issue: number; status: 'written'; url: string | undefined }
  | { issue: number; status: 'already there' }
  | { issue: number; status: 'failed'; message: string };

/**
 * Writes the comments of a preview. Repeated after a crash, it writes only what is missing, because each issue is checked
 * just before. A failed issue does not stop the others.
 */
export async function applyUpdates(
  repo: string,
  updates: IssueUpdate[],
  access: Access,
): Promise<UpdateResult[]> {
  return withGitHub(parseRepo(repo, access.env), access, async (client) => {
    const results: UpdateResult[] = [];
    for (const update of updates) {
      access.onProgress?.(`Writing to #${update.issue} …`);
      results.push(await applied(client, update));
    }
    return results;
  });
}

async function applied(client: GitHubClient, { issue, text, marks }: IssueUpdate): Promise<UpdateResult> {
  try {
    const there = (await client.comments(issue)).join('\n');
    if (marks.every((mark) => there.includes(mark))) return { issue, status: 'already there' };
    return { issue, status: 'written', url: await client.comment(issue, text) };
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    return { issue, status: 'failed', message: error.message };
  }
}

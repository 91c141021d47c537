import * as z from 'zod';
import { parseJson } from '../config/parse-json.ts';
import { FermataError } from '../schema/error.ts';

const Name = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Login = z.union([z.string(), z.object({ login: z.string() }).transform(({ login }) => login)]);
const nothing = <Value extends z.ZodType>(value: Value) =>
  value.nullish().transform((given) => given ?? undefined);

/** An issue as `gh issue list --json …` and the REST API return it; missing fields are empty. */
export const Issue = z.object({
  number: z.int().nonnegative(),
  title: z.string(),
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? null),
  labels: z
    .array(Name)
    .nullish()
    .transform((labels) => labels ?? []),
  state: nothing(z.string()),
  milestone: nothing(z.union([z.string(), z.object({ title: z.string() }).transform(({ title }) => title)])),
  assignees: z
    .array(Login)
    .nullish()
    .transform((people) => people ?? []),
  url: nothing(z.string()),
  createdAt: nothing(z.string()),
  updatedAt: nothing(z.string()),
  comments: z
    .union([
      z.array(
        z.object({
          body: z
            .string()
            .nullish()
            .transform((body) => body ?? ''),
        }),
      ),
      z.number(),
    ])
    .nullish()
    // The REST API has only their number here.
    .transform((comments) => (Array.isArray(comments) ? comments : [])),
});
export type Issue = z.output<typeof Issue>;
export type IssueInput = z.input<typeof Issue>;

/** Checks a list from outside. `source` names where it came from, for the message. */
export function checkIssues(value: unknown, source: string): Issue[] {
  if (!Array.isArray(value)) {
    throw new FermataError(
      'invalid',
      `${source} is not a list of issues. Pass the array that \`gh issue list --json number,title,body,labels\` prints.`,
    );
  }
  return value.map((entry, index) => checked(entry, `${source}, entry ${index + 1}`));
}

function checked(entry: unknown, place: string): Issue {
  const { data, error } = Issue.safeParse(entry);
  if (data) return data;
  const [first] = error.issues;
  const field = first?.path.join('.') || 'the entry';
  throw new FermataError('invalid', `${place}: ${field} is invalid: ${first?.message ?? 'wrong shape'}.`, {
    details: error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

/** The text of an issue with its comments, which may have settled what the body leaves open. */
export function issueText({ body, comments }: Pick<Issue, 'body' | 'comments'>): string {
  const said = comments.map((comment) => `Comment:\n${comment.body.trim()}`);
  return [(body ?? '').trim(), ...said].filter(Boolean).join('\n\n');
}

/** Reads the output of `gh issue list --json …`. Empty output means no issues. */
export function issuesFromJson(text: string, source: string): Issue[] {
  return text.trim() === '' ? [] : checkIssues(parseJson(text, source), source);
}

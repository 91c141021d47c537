import type { Issue } from './issue.ts';

/** The text of an issue with its comments, which may have settled what the body leaves open. */
export function issueText({ body, comments }: Pick<Issue, 'body' | 'comments'>): string {
  const said = comments.map((comment) => `Comment:\n${comment.body.trim()}`);
  return [(body ?? '').trim(), ...said].filter(Boolean).join('\n\n');
}

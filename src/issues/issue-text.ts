import type { Issue } from './issue.ts';

/** What an issue says. Its comments belong to it: they may have settled what the text leaves open. */
export function issueText({ body, comments }: Pick<Issue, 'body' | 'comments'>): string {
  const said = comments.map((comment) => `Comment:\n${comment.body.trim()}`);
  return [(body ?? '').trim(), ...said].filter(Boolean).join('\n\n');
}

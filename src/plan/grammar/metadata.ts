import type { Document } from '../../text/markdown.ts';
import { boldFields, type Field, issueNumbers, plainFields } from './fields.ts';
import type { Metadata, Problem, TextSpan } from './plan.ts';
import type { Sections } from './sections.ts';

/** Issues, repository, date and Jira keys of a master file: bold anywhere, or plain before the first section. */
export function readMetadata(
  document: Document,
  sections: Sections,
  file: string,
): { metadata: Metadata; issuesSpan: TextSpan | undefined; problems: Problem[] } {
  const metadata: Metadata = { githubIssues: [], githubRepo: null, created: null, jiraIssues: [] };
  const problems: Problem[] = [];
  let issuesSpan: TextSpan | undefined;
  for (const field of fieldsOf(document, sections)) {
    const complaint = take(field, metadata);
    if (metadata.githubIssues.length > 0) issuesSpan ??= field.span;
    if (complaint) problems.push({ code: 'UNREADABLE_METADATA', ...complaint, file, span: field.span });
  }
  return { metadata, issuesSpan, problems };
}

function fieldsOf(document: Document, { preamble, texts }: Sections): Field[] {
  const lines = preamble.flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'item' ? range(block.line, block.end) : [],
  );
  return [...boldFields(document, texts), ...plainFields(document, [...document.frontMatter, ...lines])];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function take(
  { name, value }: Field,
  metadata: Metadata,
): Pick<Problem, 'message' | 'suggestion'> | undefined {
  if (isNone(value)) return undefined;
  switch (name) {
    case 'github issue':
    case 'github issues': {
      const found = issueNumbers(value);
      metadata.githubIssues = [...new Set([...metadata.githubIssues, ...found])];
      if (found.length > 0) return undefined;
      return unreadable(
        `"${value}" is not a list of GitHub issues`,
        'Write the numbers, for example: #10, #11',
      );
    }
    case 'github repo':
    case 'github repository': {
      const repo = /(?:^|github\.com[/:]|[\s[(`<])([\w.-]+\/[\w.-]+?)(?:\.git)?(?=$|[\s\])`>/#])/.exec(
        value,
      )?.[1];
      if (repo === undefined)
        return unreadable(
          `"${value}" is not a GitHub repository`,
          'Write the owner and the name: owner/repo',
        );
      metadata.githubRepo ??= repo;
      return undefined;
    }
    case 'created':
      metadata.created ??= value;
      return undefined;
    case 'jira':
    case 'jira issue':
    case 'jira issues':
    case 'jira keys': {
      const keys = value.match(/\b[A-Z][A-Z0-9_]+-\d+\b/g) ?? [];
      metadata.jiraIssues = [...new Set([...metadata.jiraIssues, ...keys])];
      if (keys.length > 0) return undefined;
      return unreadable(`"${value}" has no Jira key`, 'Write the keys, for example: PROJ-1, PROJ-2');
    }
    default:
      return undefined;
  }
}

function isNone(value: string): boolean {
  return /^(?:n\/?a|none|-|–|—|\[\]|)$/i.test(value.trim());
}

function unreadable(what: string, suggestion: string) {
  return { message: `${what}.`, suggestion: `${suggestion}.` };
}

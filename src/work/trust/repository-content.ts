import type { TrustedContent } from '../../schema/trusted-content.ts';

/** Something from a repository that would be run or followed. */
export interface RepositoryContent {
  /** Its name in the trust register. */
  name: string;
  /** How people refer to it: a file, or a plan. */
  shownAs: string;
  /** What Fermata does with it, as a sentence. */
  effect: string;
  content: string;
}

/** A content from a repository, compared with what a person accepted under the same name. */
export interface JudgedContent extends RepositoryContent {
  state: 'trusted' | 'new' | 'changed';
  /** The accepted content, if it was different. */
  before?: string;
}

/** Compares the contents of a repository with what a person accepted. */
export function judge(
  contents: readonly RepositoryContent[],
  accepted: readonly TrustedContent[],
): JudgedContent[] {
  const known = new Map(accepted.map(({ name, content }) => [name, content]));
  return contents.map((each) => {
    const before = known.get(each.name);
    if (before === each.content) return { ...each, state: 'trusted' };
    return before === undefined ? { ...each, state: 'new' } : { ...each, state: 'changed', before };
  });
}

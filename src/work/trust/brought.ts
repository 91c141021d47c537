import type { TrustedContent } from '../../schema/trusted-content.ts';

/** Something that a repository brings and that would be run or followed. */
export interface Brought {
  /** Its name in the trust register. */
  name: string;
  /** What people call it: a file, or a plan. */
  shownAs: string;
  /** What happens with it, as a sentence. */
  effect: string;
  content: string;
}

/** What is brought, beside what a person accepted of the same name. */
export interface Judged extends Brought {
  state: 'trusted' | 'new' | 'changed';
  /** The content that was accepted, where it was another one. */
  before?: string;
}

/** Compares what a repository brings with what a person accepted. */
export function judge(brought: readonly Brought[], accepted: readonly TrustedContent[]): Judged[] {
  const known = new Map(accepted.map(({ name, content }) => [name, content]));
  return brought.map((each) => {
    const before = known.get(each.name);
    if (before === each.content) return { ...each, state: 'trusted' };
    return before === undefined ? { ...each, state: 'new' } : { ...each, state: 'changed', before };
  });
}

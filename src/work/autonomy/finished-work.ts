import { gitList } from '../../git/git.ts';
import { contentOf } from '../gates/seen-content.ts';
import type { SensitiveChanges } from './find-changes.ts';
import type { Span } from './span.ts';
import { diffOf } from './steering-changes.ts';

/** The work on a task without a plan, as a person sees it before the merge. */
export interface FinishedWork {
  /** A hash of everything that would be merged. */
  content: string;
  into: string;
  /** What the agent says about it, and how it was checked. */
  about: string;
  /** The files it changes, and what that means for dependencies. */
  words: string[];
  /** The files that run programs or steer agents, with reasons and diff, if it changes any. */
  steering: string | undefined;
  diff: string;
}

const MAX_FILES = 500;

/** Collects everything that a task would change in its target branch. */
export async function finishedWork(
  span: Span,
  { dependency, steering }: SensitiveChanges,
  said: Pick<FinishedWork, 'into' | 'about'>,
): Promise<FinishedWork> {
  const { folder, base, tip } = span;
  const args = ['diff', '--name-only', '-z', '--no-renames', '--end-of-options', base, tip, '--'];
  const files = await gitList(folder, args);
  const more = files.length - MAX_FILES;
  return {
    ...said,
    content: await contentOf(folder, tip, null),
    words: [
      ...dependency,
      ...files.slice(0, MAX_FILES),
      ...(more > 0 ? [`and ${more} more files`] : []),
      ...(files.length === 0 ? ['no files'] : []),
    ],
    steering: steering && [...steering.words, '', steering.diff].join('\n'),
    diff: await diffOf(span, files),
  };
}

import type { Worktree } from '../../schema/worktree.ts';
import { Refusal } from '../refusal.ts';
import { type Discarded, discardWorktree } from './discard-worktree.ts';
import type { Place } from './place.ts';

export type VariantDecision = 'main' | 'alternative' | 'discard';

export interface DecidedVariants {
  /** The one that is to be merged. */
  main: string;
  /** The branches that are kept beside it. */
  alternatives: string[];
  discarded: Discarded[];
}

/** What is to become of each variant of a phase, by its letter: exactly one is `main` (VAR-1). */
function requireOneMain(decisions: Record<string, VariantDecision>): string {
  const mains = Object.keys(decisions).filter((letter) => decisions[letter] === 'main');
  const [main] = mains;
  if (main !== undefined && mains.length === 1) return main;
  throw new Refusal(
    'exactly_one_main',
    `Exactly one variant is main; here it is ${mains.length === 0 ? 'none' : mains.join(' and ')}.`,
    {
      suggestion: 'Choose one as main, and alternative or discard for the others.',
      code: 'invalid',
    },
  );
}

/**
 * Applies what a person decided: alternatives are kept, discarded ones archived; the main one is left to be merged. Saying
 * it again changes nothing. Of a debug phase, only the main one is kept.
 */
export async function decideVariants(
  place: Place,
  variants: Worktree[],
  decisions: Record<string, VariantDecision>,
  { debug }: { debug: boolean },
): Promise<DecidedVariants> {
  const letter = requireOneMain(decisions);
  const main = variants.find(({ variant }) => variant === letter);
  if (!main) throw noWorktree(letter);
  const forgotten = variants.find(({ variant }) => decisions[variant ?? ''] === undefined);
  if (forgotten) throw undecided(forgotten);
  const decided: DecidedVariants = { main: main.branch, alternatives: [], discarded: [] };
  for (const worktree of variants) {
    const decision = decisions[worktree.variant ?? ''];
    if (decision === 'main' || worktree.state === 'archived') continue;
    if (decision === 'discard' || debug) decided.discarded.push(await discardWorktree(place, worktree));
    else {
      await place.ledger.worktrees.change(
        place.projectId,
        worktree.branch,
        { state: 'alternative' },
        place.by,
      );
      decided.alternatives.push(worktree.branch);
    }
  }
  return decided;
}

function noWorktree(letter: string): Refusal {
  return new Refusal('not_found', `Variant ${letter} has no worktree.`, { code: 'not_found' });
}

function undecided({ variant, branch }: Worktree): Refusal {
  return new Refusal('undecided_variant', `Nothing was decided about variant ${variant} (${branch}).`, {
    suggestion: 'Decide about all variants at once: main, alternative or discard.',
    code: 'invalid',
  });
}

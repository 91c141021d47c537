import type { Command } from 'commander';
import { define as defineReview } from './review.ts';

export function define(gemini: Command): void {
  gemini
    .description(
      'Run "fermata review" under the name that older protocols use. Any available agent can be the reviewer, not only Gemini.',
    )
    .addHelpText('after', '\nExample:\n  fermata gemini review 2 A');
  defineReview(
    gemini.command('review').summary('have another agent review a phase (the same as "fermata review")'),
  );
}

import type { Command } from 'commander';
import { define as defineReview } from './review.ts';

export function define(gemini: Command): void {
  gemini
    .description(
      'Run a review under the name that older protocols use: "gemini review N" is "review N", by whichever agent is available.',
    )
    .addHelpText('after', '\nExample:\n  fermata gemini review 2 A');
  defineReview(
    gemini.command('review').summary('have another agent review a phase (the same as "fermata review")'),
  );
}

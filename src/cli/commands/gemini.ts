import type { Command } from 'commander';
import { define as defineReview } from './review.ts';

export function define(gemini: Command): void {
  gemini
    .description('The name that protocols have for a review: "gemini review N" is "review N".')
    .addHelpText('after', '\nExample:\n  fermata gemini review 2 A');
  defineReview(gemini.command('review').summary('the same as "fermata review"'));
}

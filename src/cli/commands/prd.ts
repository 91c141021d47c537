import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { type RoleOptions, withRoleOptions } from '../roles/role-options.ts';

export function define(prd: Command): void {
  prd
    .description(
      'Show or change the product requirements in PRD.md: what the product is for and what it must do.',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata prd show goals
  fermata prd update goals "It must also work offline"`,
    );
  defineShow(prd);
  withRoleOptions(prd.command('update'))
    .summary('let the Dreamer change a section')
    .description(
      'Tell the Dreamer what to change in a section. It rewrites the section and shows the diff, or asks what it needs to know before it changes anything.',
    )
    .argument('[section]', "the section's title; a missing section is added")
    .argument('[text...]', 'what to change')
    .option('--resume [id]', 'continue a change after you answered its questions (default: the newest)')
    .addHelpText(
      'after',
      `
Examples:
  fermata prd update "Data model" "Orders keep the price at which they were made"
  fermata prd update --resume

Exit codes: 0 written, 1 unusable answer, 3 waiting for an answer, 4 the agent could not run, 130 interrupted.`,
    )
    .action(async (section: string | undefined, words: string[], options: RoleOptions) => {
      await (await import('../prd/update.ts')).update(section, words.join(' '), options);
    });
}

function defineShow(prd: Command): void {
  prd
    .command('show', { isDefault: true })
    .summary('show the requirements, or one section')
    .description('Show PRD.md, or one section of it.')
    .argument('[section...]', 'the title of a section')
    .addHelpText('after', '\nExample:\n  fermata prd show goals')
    .action(async (words: string[], options: CommonOptions) => {
      await (await import('../prd/show.ts')).show(words.join(' '), options);
    });
}

import type { Command } from 'commander';
import type { CommonOptions } from '../command.ts';
import { type RoleOptions, withRoleOptions } from '../roles/role-options.ts';

export function define(prd: Command): void {
  prd
    .description('The product requirements in PRD.md: what the product is for and what it must do.')
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
      'Tell the Dreamer what to change in a section: it writes the section anew and the difference is shown, or it asks what it must know and changes nothing until then.',
    )
    .argument('[section]', 'its title; one that is not there is added')
    .argument('[text...]', 'what to change')
    .option(
      '--resume [id]',
      'go on with a change whose questions were answered (the newest where none is named)',
    )
    .addHelpText(
      'after',
      `
Examples:
  fermata prd update "Data model" "Orders keep the price at which they were made"
  fermata prd update --resume

Exit codes: 0 written, 1 unusable answer, 3 waits for an answer, 4 the agent could not be run, 130 interrupted.`,
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
    .action(async (words: string[], options: CommonOptions) => {
      await (await import('../prd/show.ts')).show(words.join(' '), options);
    });
}

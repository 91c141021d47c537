import { type Command, Option } from 'commander';
import { wholeNumber } from '../command.ts';
import type { SearchOptions } from '../knowledge/search.ts';
import { asPlanCommand, planCommand } from '../plan-command.ts';

const MAX_RESULTS = 100;

export function define(knowledge: Command): void {
  knowledge
    .description("Search the project's own documents.")
    .addHelpText('after', '\nExample:\n  fermata knowledge search docs "how are failed payments retried"');
  asPlanCommand(knowledge.command('search'))
    .summary('search documents with a phrase in your own words')
    .description(
      'Search the documents of this project (Markdown, text, reStructuredText, AsciiDoc) with a phrase in your own words. Prints text in a terminal; otherwise, or with --format json, prints one JSON object: {"status":"success","data"} or {"status":"error","error"}.',
    )
    .argument('<collection>', 'what to search: docs')
    .argument('<phrase...>', 'what you want to know; a full phrase finds more than keywords')
    .addOption(
      new Option('--limit <number>', 'the maximum number of passages')
        .argParser(wholeNumber('--limit', 1, MAX_RESULTS))
        .default(8),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  fermata knowledge search docs "what happens when two people answer at once"\n  fermata knowledge search docs "set up a test database" --limit 3 | jq -r ".data.results[].file"',
    )
    .action(async (collection: string, words: string[], options: SearchOptions) => {
      await planCommand(async () =>
        (await import('../knowledge/search.ts')).search(collection, words.join(' '), options),
      );
    });
}

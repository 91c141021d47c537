import type { Command } from 'commander';
import { didYouMean } from '../../config/near.ts';
import { FermataError } from '../../schema/error.ts';
import { jsonSchemas } from '../../schema/json-schemas.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson } from '../output.ts';

export function define(command: Command): void {
  command
    .description(
      'Print the JSON Schema of a format, such as notification or config; without a name, list them.',
    )
    .argument('[name]', 'the format')
    .addHelpText(
      'after',
      `
Examples:
  fermata schema                                        list the names
  fermata schema config > fermata.config.schema.json    for "$schema" in fermata.config.json
  fermata schema notification | jq .properties`,
    )
    .action(async (name: string | undefined, options: CommonOptions) => {
      const schemas = jsonSchemas();
      const names = Object.keys(schemas);
      if (name === undefined) {
        await (options.format === 'json' ? printJson({ schemas: names }) : print(names.join('\n')));
        return;
      }
      if (!Object.hasOwn(schemas, name)) {
        throw new FermataError(
          'invalid',
          `There is no schema "${name}".${didYouMean(name, names)} The schemas are ${names.join(', ')}.`,
        );
      }
      await print(JSON.stringify(schemas[name], null, 2));
    });
}

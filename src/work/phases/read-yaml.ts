import { parseYaml } from '../../files/parse-yaml.ts';

export type ReadYaml = { value: unknown } | { problem: string };

/** Aliases that are aliases of aliases can make a short text endless. */
const MOST_ALIASES = 10;

/** What a YAML text says, or what is wrong with it and where. Hostile texts are wrong like any other. */
export function readYaml(text: string): ReadYaml {
  const parsed = parseYaml(text.replace(/^\uFEFF/, ''));
  if ('refused' in parsed) return { problem: parsed.refused };
  const [fault] = parsed.faults;
  if (fault) return { problem: `line ${fault.line}, column ${fault.column}: ${fault.message}` };
  try {
    return { value: parsed.document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    // Too many aliases.
    if (error instanceof ReferenceError) return { problem: error.message };
    throw error;
  }
}

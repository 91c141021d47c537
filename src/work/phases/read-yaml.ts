import { parseYaml, plainValue } from '../../files/parse-yaml.ts';

export type ReadYaml = { value: unknown } | { problem: string };

/** The content of a YAML text, or what is wrong with it and where. Malicious input is reported as invalid, too. */
export function readYaml(text: string): ReadYaml {
  const parsed = parseYaml(text.replace(/^\uFEFF/, ''));
  if ('refused' in parsed) return { problem: parsed.refused };
  const [fault] = parsed.faults;
  if (fault) return { problem: `line ${fault.line}, column ${fault.column}: ${fault.message}` };
  const read = plainValue(parsed.document);
  return 'refused' in read ? { problem: read.refused } : read;
}

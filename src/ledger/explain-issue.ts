import type * as z from 'zod';

export type Issue = z.core.$ZodIssue;

/** Explains in plain words what is wrong with a value; a schema's own message is kept. */
export function explainIssue(issue: Issue, whole: unknown): string {
  if (!ZODS_OWN.test(issue.message)) return issue.message;
  const missing = isMissing(issue, whole) ? 'it is missing' : undefined;
  switch (issue.code) {
    case 'invalid_type':
      return missing ?? `it must be ${nouns[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(missing, issue.values);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? oneOf(missing, issue.options)
        : (missing ?? issue.message);
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'it is empty'
        : `it must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return tooBig(issue.origin, issue.maximum);
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => `"${key}"`).join(', ')} is not a known field`;
    default:
      return issue.message;
  }
}

const ZODS_OWN = /^(?:Invalid (?:input|option|discriminator)|Too (?:small|big)|Unrecognized key)/;

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function oneOf(missing: string | undefined, values: readonly unknown[]): string {
  const listed = values.map(String).join(', ');
  const choice = values.length === 1 ? listed : `one of ${listed}`;
  return missing === undefined ? `it must be ${choice}` : `${missing}: give ${choice}`;
}

function tooBig(origin: string, most: number | bigint): string {
  if (origin === 'string') return `it is longer than ${most} characters`;
  return origin === 'array' ? `it has more than ${most} entries` : `it must be at most ${most}`;
}

/** Whether the value that the issue is about is missing. */
export function isMissing({ path }: Issue, whole: unknown): boolean {
  const found = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null)?.[key],
    whole,
  );
  return found === undefined;
}

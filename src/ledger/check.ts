import * as z from 'zod';
import { FermataError } from '../schema/error.ts';

/** The schema that each value passed. What the hub has checked, the ledger does not check again. */
const passed = new WeakMap<object, unknown>();

/** Validates input at the boundary; the error names the field and what is wrong with it. */
export function check<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  if (hasPassed(schema, value)) return value;
  const result = schema.safeParse(value);
  if (result.success) {
    const own = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    if (typeof result.data === 'object' && result.data !== null) passed.set(result.data, own);
    return result.data;
  }
  const [first] = result.error.issues;
  const issue = first && (isMissing(first, value) ? first : nearest(first));
  const field = issue && issue.path.length > 0 ? `, field ${issue.path.join('.')}` : '';
  const wrong = issue ? explainIssue(withFewKeys(issue), value) : 'wrong value';
  throw new FermataError('invalid', `${what}${field}: ${wrong}.`, {
    details: result.error.issues.slice(0, MAX_ISSUES).map(withFewKeys),
  });
}

const hasPassed = <T>(schema: z.ZodType<T>, value: unknown): value is T =>
  typeof value === 'object' && value !== null && passed.get(value) === schema;

/** The input may contain a hundred thousand wrong fields. */
const MAX_ISSUES = 20;

function withFewKeys(issue: Issue): Issue {
  if (issue.code !== 'unrecognized_keys' || issue.keys.length <= MAX_ISSUES) return issue;
  const message = `${issue.keys.length} unrecognized keys`;
  return { ...issue, keys: issue.keys.slice(0, MAX_ISSUES), message };
}

/** If a value matches none of several shapes: the issue for the shape that fits best, if one fits better than the rest. */
function nearest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const shapes = issue.errors.flatMap((issues) => {
    const [first] = issues.map(nearest);
    return first ? [{ first, closeness: closeness(first, issues.length) }] : [];
  });
  const best = Math.max(...shapes.map((shape) => shape.closeness));
  const [found, another] = shapes.filter((shape) => shape.closeness === best);
  if (!found || another) return issue;
  return { ...found.first, path: [...issue.path, ...found.first.path] };
}

/** Fewer issues are better; after that, the deeper the first one, the more was right before it. */
function closeness({ path, code }: Issue, faults: number): number {
  return -1000 * faults + 2 * path.length + (code === 'invalid_type' ? 0 : 1);
}

type Issue = z.core.$ZodIssue;

/** Explains in plain words what is wrong with a value; a schema's own message is kept. */
function explainIssue(issue: Issue, whole: unknown): string {
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
function isMissing({ path }: Issue, whole: unknown): boolean {
  const found = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null)?.[key],
    whole,
  );
  return found === undefined;
}

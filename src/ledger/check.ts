import * as z from 'zod';
import { FermataError } from '../schema/error.ts';
import { explainIssue, type Issue, isMissing } from './explain-issue.ts';

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

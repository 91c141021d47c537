import * as z from 'zod';
import type { Route } from './route.ts';

const pathParameters: Record<string, string> = {
  project: 'The id of the project.',
  notification: 'The id of the notification.',
  task: 'The id of the task. Write a slash in it as `%2F`.',
  plan: "The name of the plan's folder below `plans/`.",
  phase: 'The number of the phase, or of one of its variants: `2`, or `2-A`.',
  run: 'The id of the run.',
  feedback: 'The id of the feedback.',
  decision: 'The id of the decision.',
  token: 'The id of the token, not its secret.',
};

/** The parameters of an operation. Many generators drop a description that is inside the schema. */
export function parametersOf({ path, query }: Pick<Route, 'path' | 'query'>): object[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const description = pathParameters[name];
    if (description === undefined) throw new Error(`${path}: add a description of "${name}".`);
    return { name, in: 'path', required: true, description, schema: { type: 'string' } };
  });
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, value]) => {
    const { $schema, description, ...schema } = queryValue(value);
    return { name, in: 'query', description, schema };
  });
  return [...inPath, ...inQuery];
}

/** A number arrives as text, but clients should be told that it is a number. */
function queryValue(value: z.core.$ZodType) {
  const read = z.toJSONSchema(value, { io: 'output', unrepresentable: 'any' });
  return read.type === 'integer' ? read : z.toJSONSchema(value, { io: 'input' });
}

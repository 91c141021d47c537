import type { Route } from './route.ts';

const descriptions = {
  '400': 'Invalid: the message names the field. Nothing was changed.',
  '401': 'The token is missing, unknown or revoked.',
  '403': 'This token may not do this, or the request came from another page.',
  '404': 'Not found, or part of another project.',
  '409': 'Conflict: `details` has the earlier answer, who gave it and when; or the `fence` is stale.',
  '410': 'Gone: withdrawn, superseded or expired.',
  '413': 'The body is too large.',
  '429': 'Too many requests by an agent: try again after `Retry-After` seconds.',
  default:
    'The hub or its store failed. If the request may still have been stored, the message says so: check before you try again.',
};

type ErrorName = keyof typeof descriptions;

export const errorResponses = Object.fromEntries(
  Object.entries(descriptions).map(([name, description]) => [
    name,
    {
      description,
      ...(name === '429' ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {}),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
);

/** The errors that a client of this operation has to expect. */
export function errorsOf({ method, path, query, body }: Pick<Route, 'method' | 'path' | 'query' | 'body'>) {
  const changes = method !== 'get' && path.includes(':');
  const expected: Record<ErrorName, boolean> = {
    '400': query !== undefined || body !== undefined,
    '401': true,
    '403': true,
    '404': path.includes(':'),
    '409': changes,
    '410': changes && path.includes(':notification'),
    '413': body !== undefined,
    '429': method === 'post' && path.startsWith('/projects/:project/'),
    default: true,
  };
  return (Object.keys(expected) as ErrorName[]).filter((name) => expected[name]);
}

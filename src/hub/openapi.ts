import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { ErrorBody } from '../schema/error-body.ts';
import { errorResponses, errorsOf } from './openapi-errors.ts';
import { tagOf, tags } from './openapi-tags.ts';
import type { Route } from './route.ts';

/** What the document says about one entry of the API; `public` ones need no token. */
export type Entry = Pick<
  Route,
  'operationId' | 'method' | 'path' | 'summary' | 'query' | 'body' | 'sent' | 'paged'
> & {
  who: Route['who'] | 'public';
} & ({ data: z.ZodType } | { mediaType: string });

/** The OpenAPI document of the entries, from the schemas that validate. */
export function openApi(entries: Entry[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const entry of entries) {
    const path = entry.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [entry.method]: operation(entry) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fermata hub',
      version: packageJson.version,
      description: 'The ledger of questions, answers and tasks over HTTP.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }, { url: '/' }],
    security: [{ token: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchema(ErrorBody, 'output') },
      responses: errorResponses,
    },
    paths,
  };
}

function operation(entry: Entry): object {
  const { operationId, summary, who, method, path, query, body, sent = body } = entry;
  const done = { description: 'Done', content: contentOf(entry) };
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    ...(who === 'person' ? { description: "For people only: an agent's token gets 403." } : {}),
    ...(who === 'public' ? { security: [] } : {}),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(sent ? { requestBody: requestBody(sent) } : {}),
    responses: {
      '200': done,
      ...(method === 'post' ? { '201': { ...done, description: 'Made' } } : {}),
      ...Object.fromEntries(
        errorsOf(entry).map((name) => [name, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (!query) return [];
  const { properties = {} } = jsonSchema(query, 'input') as { properties?: Record<string, object> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}

function requestBody(body: z.ZodType): object {
  return { required: !body.safeParse(undefined).success, content: json(jsonSchema(body, 'input')) };
}

function contentOf(entry: Entry): object {
  if ('mediaType' in entry) return { [entry.mediaType]: {} };
  const next = entry.paged ? { next: { type: 'string' } } : {};
  const properties = { data: jsonSchema(entry.data, 'output'), ...next };
  return json({ type: 'object', required: ['data'], properties });
}

const json = (schema: object) => ({ 'application/json': { schema } });

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

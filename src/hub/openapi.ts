import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { ErrorBody } from '../schema/error-body.ts';
import type { Route } from './route.ts';

/** The OpenAPI document of the routes, from the schemas that validate. */
export function openApi(routes: Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fermata hub', version: packageJson.version },
    servers: [{ url: '/api/v1' }, { url: '/' }],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchema(ErrorBody, 'output') },
    },
    paths,
  };
}

function operation({ summary, who, path, query, body, data, paged }: Route): object {
  return {
    summary,
    description: who === 'person' ? "For people only: an agent's token gets 403." : undefined,
    parameters: [...pathParameters(path), ...queryParameters(query)],
    requestBody: body && { content: json(jsonSchema(body, 'input')) },
    responses: {
      '200': { description: 'Done', content: json(envelope(data, paged)) },
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Error' }) },
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

function envelope(data: z.ZodType, paged: true | undefined): object {
  const next = paged ? { next: { type: 'string' } } : {};
  return { type: 'object', required: ['data'], properties: { data: jsonSchema(data, 'output'), ...next } };
}

const json = (schema: object) => ({ 'application/json': { schema } });

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

import type * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { errorResponses, errorsOf } from './openapi-errors.ts';
import { parametersOf } from './openapi-parameters.ts';
import { jsonSchemas } from './openapi-schemas.ts';
import { type Credential, security, securitySchemes } from './openapi-security.ts';
import { tagOf, tags } from './openapi-tags.ts';
import type { Route } from './route.ts';

/** What the document says about one entry of the API; `public` ones need no token. */
export type Entry = Pick<
  Route,
  'operationId' | 'method' | 'path' | 'summary' | 'query' | 'body' | 'sent' | 'statuses' | 'paged'
> & {
  who: Route['who'] | 'public';
  /** The only way to authenticate, if it does not take both. */
  only?: Credential;
} & ({ data: z.ZodType } | { mediaType: string });

/** The OpenAPI document of the entries, from the schemas that validate. */
export function openApi(entries: Entry[], cookieName: string): object {
  const requests = jsonSchemas(
    'input',
    entries.flatMap((entry) => sentBody(entry) ?? []),
  );
  const replies = jsonSchemas(
    'output',
    entries.flatMap((entry) => ('data' in entry ? entry.data : [])),
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const entry of entries) {
    const path = entry.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [entry.method]: operation(entry, requests.of, replies.of) };
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
    security: Object.values(security),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: securitySchemes(cookieName),
      schemas: { ...requests.components, ...replies.components },
      responses: errorResponses,
    },
    paths,
  };
}

const sentBody = ({ body, sent = body }: Entry) => sent;

type Convert = ReturnType<typeof jsonSchemas>['of'];

function operation(entry: Entry, requestSchema: Convert, replySchema: Convert): object {
  const { operationId, summary, who, only, path, statuses = [200] } = entry;
  const sent = sentBody(entry);
  const content = contentOf(entry, replySchema);
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    ...(who === 'person' ? { description: "For people only: an agent's token gets 403." } : {}),
    ...(who === 'public' ? { security: [] } : only ? { security: [security[only]] } : {}),
    parameters: parametersOf(entry),
    ...(sent ? { requestBody: { required: !isOptional(sent), content: json(requestSchema(sent)) } } : {}),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, { description: successes[status], content }])),
      ...Object.fromEntries(
        errorsOf(entry).map((name) => [name, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

const successes = { 200: 'Done', 201: 'Created' };

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success;

function contentOf(entry: Entry, replySchema: Convert): object {
  if ('mediaType' in entry) return { [entry.mediaType]: {} };
  const next = entry.paged ? { next: { type: 'string' } } : {};
  const properties = { data: replySchema(entry.data), ...next };
  return json({ type: 'object', required: ['data'], properties });
}

const json = (schema: unknown) => ({ 'application/json': { schema } });

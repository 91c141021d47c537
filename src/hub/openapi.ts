import type * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { errorResponses, errorsOf } from './openapi-errors.ts';
import { parametersOf } from './openapi-parameters.ts';
import { jsonSchemas } from './openapi-schemas.ts';
import { type Credential, security, securitySchemes } from './openapi-security.ts';
import { tagOf, tags } from './openapi-tags.ts';
import type { Route } from './route.ts';

/** What the document says about one entry of the API; `public` ones need no token. */
export type Entry = Omit<Route, 'who' | 'complete' | 'data' | 'handle'> & {
  who: Route['who'] | 'public';
  /** The only way to authenticate, if it does not take both. */
  only?: Credential;
} & ({ data: z.ZodType } | { responses: Record<string, OwnResponse> });

/** A response other than `{data}` or the usual error. */
interface OwnResponse {
  description: string;
  content?: Record<string, { schema: object }>;
}

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
  const { operationId, summary, description, who, only, path } = entry;
  const sent = sentBody(entry);
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: [description, callers[only === 'session' ? only : who]].filter(Boolean).join(' '),
    ...(who === 'public' ? { security: [] } : only ? { security: [security[only]] } : {}),
    parameters: parametersOf(entry),
    ...(sent ? { requestBody: { required: !isOptional(sent), content: json(requestSchema(sent)) } } : {}),
    responses: {
      ...Object.fromEntries(
        errorsOf(entry).map((name) => [name, { $ref: `#/components/responses/${name}` }]),
      ),
      ...ownResponses(entry, replySchema),
    },
  };
}

const callers = {
  anybody: 'For people and agents.',
  person: "For people only: an agent's token gets 403.",
  public: 'No authentication is needed to call this.',
  session: 'For browsers, which have a session.',
};

const isOptional = (schema: z.ZodType) => schema.safeParse(undefined).success;

function ownResponses(entry: Entry, replySchema: Convert): object {
  if ('responses' in entry) return entry.responses;
  const { data, paged, statuses = [200] } = entry;
  const next = paged ? { next: { type: 'string', description: 'The `after` of the next page.' } } : {};
  const properties = { data: replySchema(data), ...next };
  const content = json({ type: 'object', required: ['data'], properties });
  return Object.fromEntries(statuses.map((status) => [status, { description: successes[status], content }]));
}

const successes = { 200: 'Done', 201: 'Created' };

const json = (schema: unknown) => ({ 'application/json': { schema } });

import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { PAGE_KEY_HEADER } from './auth/authenticate.ts';
import { jsonSchemas } from './openapi-schemas.ts';
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

const errorResponses = Object.fromEntries(
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
function errorsOf({ method, path, query, body }: Pick<Route, 'method' | 'path' | 'query' | 'body'>) {
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
function parametersOf({ path, query }: Pick<Route, 'path' | 'query'>): object[] {
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

/** A program sends a token, the page both halves of its session. */
const security = { token: { token: [] }, session: { cookie: [], pageKey: [] } };
type Credential = keyof typeof security;

const securitySchemes = (cookieName: string) => ({
  token: { type: 'http', scheme: 'bearer', description: 'A token of this hub, for programs.' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description: 'Set by `logIn`, for browsers. It needs the page key, too.',
  },
  pageKey: {
    type: 'apiKey',
    in: 'header',
    name: PAGE_KEY_HEADER,
    description: 'The `pageKey` that `logIn` returns. It needs the cookie, too.',
  },
});

/** The groups of operations in the documentation. */
const tags = {
  projects: 'Projects, and how much agents may decide alone in them.',
  notifications: 'Questions, and their answers.',
  tasks: 'Tasks: claim them, work on them, and talk about them.',
  events: "A project's history.",
  plans: 'Plans and their phases.',
  runs: 'Agents at work.',
  feedback: 'Feedback that becomes tasks.',
  decisions: 'What people decided.',
  insights: 'What questions cost.',
  mcp: 'The Model Context Protocol, for agents that ask.',
  tokens: 'Tokens for programs.',
  workers: 'Machines that take work.',
  session: 'Log in and out, and open sockets.',
  monitoring: 'Health, metrics and this document.',
} as const;

type Tag = keyof typeof tags;

const elsewhere: Record<string, Tag> = {
  settings: 'projects',
  recorded: 'notifications',
  queue: 'workers',
  'ws-ticket': 'session',
  healthz: 'monitoring',
  metrics: 'monitoring',
  'openapi.json': 'monitoring',
};

/** The resource of a path: for `/projects/:project/tasks/:task` it is tasks. */
function tagOf(path: string): Tag {
  const [first = '', , below] = path.slice(1).split('/');
  const resource = first === 'projects' && below !== undefined ? below : first;
  const tag = elsewhere[resource] ?? resource;
  if (!(tag in tags)) throw new Error(`${path} has no tag: add "${resource}" to the tags.`);
  return tag as Tag;
}

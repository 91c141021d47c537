import type { RequestListener } from 'node:http';
import { getRequestListener, type Http2Bindings, type HttpBindings, RequestError } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { check } from '../ledger/check.ts';
import { isRecord } from '../ledger/forms/record.ts';
import { FermataError } from '../schema/error.ts';
import { traced } from '../telemetry/trace.ts';
import { checkHost, checkOrigin } from './auth/allowed-hosts.ts';
import { identify } from './auth/authenticate.ts';
import { actorOf, requirePerson, requireProject } from './auth/caller.ts';
import { addHealth, healthEntries } from './health.ts';
import { compressed } from './http/compressed.ts';
import { type HubContext, type HubEnv, jsonResponse, targetOf } from './http/context.ts';
import { httpError, isInside } from './http-error.ts';
import { linkPages } from './links/link-pages.ts';
import { addMcp, mcpEntries } from './mcp/add-mcp.ts';
import { type Entry, openApi } from './openapi.ts';
import type { HubParts } from './parts.ts';
import { readJson } from './read-body.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { addSession, sessionEntries } from './session.ts';

/** Everything that the OpenAPI document describes. */
const entries: Entry[] = [
  ...routes,
  ...sessionEntries,
  ...healthEntries,
  ...mcpEntries,
  {
    operationId: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    summary: 'Returns this document.',
    who: 'anybody',
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
];

/** Handles the requests of Node's server. Checks who they are for before the routes do anything, and counts them. */
export function hubListener(parts: HubParts): RequestListener {
  const { allowed, metrics } = parts;
  const app = hubApp(parts);
  const refuse = (error: unknown) => refusal(error, parts);
  const answer = async (request: Request, { incoming, outgoing }: HttpBindings | Http2Bindings) => {
    const target = targetOf(incoming);
    checkHost(allowed, target.host);
    if (request.method !== 'GET') checkOrigin(allowed, target.host, incoming.headers.origin);
    return app.fetch(request, { target, outgoing });
  };
  const counted = async (request: Request, env: HttpBindings | Http2Bindings) => {
    const start = performance.now();
    const response = await answer(request, env)
      .catch(refuse)
      .then((plain) => compressed(request, plain));
    metrics.counted(request.method, response.status, (performance.now() - start) / 1000);
    return response;
  };
  const listener = getRequestListener(counted, { errorHandler: refuse });
  return (incoming, outgoing) => {
    // Node leaves out the body by itself, and keeps its length.
    if (incoming.method === 'HEAD') incoming.method = 'GET';
    return listener(incoming, outgoing);
  };
}

/** The whole HTTP side: authentication, the routes, the page. */
export function hubApp(parts: HubParts): Hono<HubEnv> {
  const app = new Hono<HubEnv>({
    // The URL of the request has `..` resolved.
    getPath: ({ url }, { env } = {}) => env?.target.path ?? new URL(url).pathname,
  });
  const api = hubApi(parts);
  app.route('/', api).route('/api/v1', api).route('/a', linkPages(parts));
  const files = staticFiles(parts.web);
  app.notFound(async (c) => (await files(c)) ?? notFound(c, app));
  return app.onError((error) => refusal(error, parts));
}

function notFound({ req: { method, path } }: HubContext, { router, routes }: Hono<HubEnv>): Response {
  const methods = new Set(routes.map((route) => route.method));
  const allow = [...methods]
    .filter((each) => router.match(each, path)[0].length > 0)
    .sort()
    .join(', ');
  if (allow !== '') {
    const message = `${method} is not supported for ${path.slice(0, 200)}. Use ${allow}.`;
    return jsonResponse({ error: { code: 'invalid', message } }, 405, { allow });
  }
  if (path === '/') return new Response(NO_PAGE, { status: 404 });
  throw new FermataError('not_found', `Not found: ${method} ${path.slice(0, 200)}.`);
}

function refusal(error: unknown, { report }: HubParts): Response {
  const known = error instanceof RequestError ? malformed(error) : error;
  if (isInside(known)) report(known);
  const { status, headers, body } = httpError(known);
  return jsonResponse(body, status, headers);
}

const malformed = ({ message }: RequestError) =>
  new FermataError('invalid', `Malformed request: ${message}.`);

function hubApi(parts: HubParts): Hono<HubEnv> {
  const api = new Hono<HubEnv>();
  addSession(api, parts);
  addHealth(api, parts);
  addMcp(api, parts);
  for (const route of routes)
    api.on(route.method, route.path, (c) =>
      traced(`${c.req.method} ${route.path}`, {}, () => serve(c, route, parts)),
    );
  let document: object | undefined;
  return api.get('/openapi.json', async (c) => {
    await identify(c, parts);
    document ??= openApi(entries, parts.auth.cookieName);
    return jsonResponse(document);
  });
}

async function serve(c: HubContext, route: Route, parts: HubParts): Promise<Response> {
  const caller = await identify(c, parts);
  if (route.who === 'person') requirePerson(caller);
  const params = paramsOf(c);
  if (params.project !== undefined) requireProject(caller, params.project);
  const query = route.query && check(route.query, c.req.query(), 'Query');
  const json = route.body && (await readJson(c));
  // The token may have been revoked while the body arrived.
  if (route.body && caller.id !== null) await identify(c, parts);
  const body = route.body && check(route.body, completed(route, json, params), 'Body');
  const { ledger, work } = parts;
  const call = { ledger, work, caller, by: actorOf(caller), params, query, body };
  const { status = route.statuses?.[0], ...reply } = await route.handle(call);
  return jsonResponse(reply, status);
}

/** The named parts of the path, decoded. */
function paramsOf(c: HubContext): Record<string, string> {
  for (const part of c.req.path.split('/')) requireDecodable(part);
  return c.req.param();
}

function requireDecodable(part: string): void {
  try {
    decodeURIComponent(part);
  } catch (cause) {
    const message = `"${part.slice(0, 200)}" in the URL is not encoded correctly. Write "%" as "%25".`;
    throw new FermataError('invalid', message, { cause });
  }
}

/** Adds what the path says, so that the whole input of the ledger is validated in one place. */
function completed({ complete }: Route, json: unknown, params: Record<string, string>): unknown {
  return complete && isRecord(json) ? complete(json, params) : json;
}

const NO_PAGE = 'The web inbox is not part of this build. The API works: see /openapi.json.\n';

/** The page runs only our own scripts and styles, whatever a question's text contains, and no other site may frame it. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const;

/** Finds the files of the built page. */
function staticFiles(root: string) {
  const find = serveStatic<HubEnv>({ root, precompressed: true });
  return async (c: HubContext): Promise<Response | undefined> => {
    const response = await find(c, async () => undefined);
    if (!response) return undefined;
    for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
    // Vite puts a content hash into the names in assets/.
    const isHashed = c.req.path.startsWith('/assets/');
    response.headers.set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    return response;
  };
}

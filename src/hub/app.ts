import type { RequestListener } from 'node:http';
import { check } from '../ledger/check.ts';
import { isRecord } from '../ledger/forms/record.ts';
import { FermataError } from '../schema/error.ts';
import { traced } from '../telemetry/trace.ts';
import { identify } from './auth/authenticate.ts';
import { actorOf, requirePerson, requireProject } from './auth/caller.ts';
import { addHealth, healthEntries } from './health.ts';
import { requestListener } from './http/listener.ts';
import { type HubRequest, type HubResponse, jsonResponse } from './http/message.ts';
import { Router } from './http/router.ts';
import { addLinks } from './links/add-links.ts';
import { addMcp, mcpEntries } from './mcp/add-mcp.ts';
import { type Entry, openApi } from './openapi.ts';
import type { HubParts } from './parts.ts';
import { readJson } from './read-body.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { addSession, sessionEntries } from './session.ts';
import { staticFile } from './static-files.ts';

const PREFIXES = ['', '/api/v1'];

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

/** The whole HTTP side: authentication, the routes, the page. */
export function hubListener(parts: HubParts): RequestListener {
  const router = hubRouter(parts);
  return requestListener(router, (request) => otherwise(request, router, parts), parts);
}

export function hubRouter(parts: HubParts): Router {
  const router = new Router();
  let document: object | undefined;
  addLinks(router, parts);
  for (const prefix of PREFIXES) {
    addSession(router, prefix, parts);
    addHealth(router, prefix, parts);
    addMcp(router, prefix, parts);
    for (const route of routes) {
      router.add(route.method.toUpperCase(), prefix + route.path, (request) =>
        traced(`${request.method} ${route.path}`, {}, () => serve(request, route, parts)),
      );
    }
    router.add('GET', `${prefix}/openapi.json`, async (request) => {
      await identify(request, parts);
      document ??= openApi(entries, parts.auth.cookieName);
      return jsonResponse(document);
    });
  }
  return router;
}

async function serve(request: HubRequest, route: Route, parts: HubParts): Promise<HubResponse> {
  const { incoming, params } = request;
  const caller = await identify(request, parts);
  if (route.who === 'person') requirePerson(caller);
  if (params.project !== undefined) requireProject(caller, params.project);
  const query = route.query && check(route.query, request.query(), 'Query');
  const json = route.body && (await readJson(incoming));
  // The token may have been revoked while the body arrived.
  if (route.body && caller.id !== null) await identify(request, parts);
  const body = route.body && check(route.body, completed(route, json, params), 'Body');
  const { ledger, work } = parts;
  const call = { ledger, work, caller, by: actorOf(caller), params, query, body };
  const { status = route.statuses?.[0], ...reply } = await route.handle(call);
  return jsonResponse(reply, status);
}

/** Adds what the path says, so that the whole input of the ledger is validated in one place. */
function completed({ complete }: Route, json: unknown, params: Record<string, string>): unknown {
  return complete && isRecord(json) ? complete(json, params) : json;
}

/** A path without a route may be a file of the page. */
async function otherwise(
  { method, path }: HubRequest,
  router: Router,
  { web }: HubParts,
): Promise<HubResponse> {
  const file = method === 'GET' ? await staticFile(web, path) : undefined;
  if (file) return { status: 200, ...file };
  const allow = router.methods(path).join(', ');
  if (allow !== '') {
    const message = `${method} is not supported for ${path.slice(0, 200)}. Use ${allow}.`;
    return jsonResponse({ error: { code: 'invalid', message } }, 405, { allow });
  }
  if (path === '/') return { status: 404, headers: { 'content-type': 'text/plain' }, body: NO_PAGE };
  throw new FermataError('not_found', `Not found: ${method} ${path.slice(0, 200)}.`);
}

const NO_PAGE = 'The web inbox is not part of this build. The API works: see /openapi.json.\n';

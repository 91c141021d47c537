import { Hono } from 'hono';
import { check } from '../ledger/check.ts';
import { FermataError } from '../schema/error.ts';
import { checkHost, checkOrigin } from './auth/allowed-hosts.ts';
import { actorOf, requirePerson, requireProject } from './auth/caller.ts';
import { identify } from './auth/identify.ts';
import { healthEntries, mountHealth } from './health.ts';
import { httpError, isInside } from './http-error.ts';
import { mountLinks } from './links/mount-links.ts';
import { type Entry, openApi } from './openapi.ts';
import type { HubContext, HubEnv, HubParts } from './parts.ts';
import { readJson } from './read-body.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { mountSession, sessionEntries } from './session.ts';
import { staticFile } from './static-files.ts';

/** Data is for the caller alone, and is never anything but data. */
const DATA_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const PREFIXES = ['', '/api/v1'];

/** All that the OpenAPI document describes. */
const entries: Entry[] = [
  ...routes,
  ...sessionEntries,
  ...healthEntries,
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document.',
    who: 'anybody',
    mediaType: 'application/json',
  },
];

/** All of HTTP: who may come in, the routes, the page. */
export function hubApp(parts: HubParts): Hono<HubEnv> {
  const app = new Hono<HubEnv>();
  let document: object | undefined;
  app.onError((error, c) => {
    if (isInside(error)) parts.report(error);
    const { status, body } = httpError(error);
    return c.json(body, status);
  });
  app.notFound(async (c) => {
    const page = c.req.method === 'GET' ? await staticFile(parts.web, c.req.path) : undefined;
    if (page) return c.body(page.body, 200, page.headers);
    if (c.req.path === '/') return c.text(NO_PAGE, 404);
    throw new FermataError('not_found', `There is nothing at ${c.req.method} ${c.req.path.slice(0, 200)}.`);
  });
  app.use(async (c, next) => {
    const { host, origin } = c.env.incoming.headers;
    checkHost(parts.allowed, host);
    if (c.req.method !== 'GET') checkOrigin(parts.allowed, { host, origin }, false);
    const start = performance.now();
    await next();
    parts.metrics.counted(c.req.method, c.res.status, (performance.now() - start) / 1000);
  });
  mountLinks(app, parts);
  for (const prefix of PREFIXES) {
    mountSession(app, prefix, parts);
    mountHealth(app, prefix, parts);
    for (const route of routes) app.on(route.method, prefix + route.path, (c) => serve(c, route, parts));
    app.get(`${prefix}/openapi.json`, async (c) => {
      await identify(c, parts);
      document ??= openApi(entries);
      return c.json(document);
    });
  }
  return app;
}

async function serve(c: HubContext, route: Route, parts: HubParts): Promise<Response> {
  const caller = await identify(c, parts);
  if (route.who === 'person') requirePerson(caller);
  const params = c.req.param();
  if (params.project !== undefined) requireProject(caller, params.project);
  const query = route.query && check(route.query, c.req.query(), 'Query');
  const body = route.body && check(route.body, await readJson(c.env.incoming), 'Body');
  const call = { ledger: parts.ledger, caller, by: actorOf(caller), params, query, body };
  const { status = 200, ...reply } = await route.handle(call);
  // Not by `c.json`: with headers of one's own it costs as much as the rest of Hono.
  return new Response(JSON.stringify(reply), { status, headers: DATA_HEADERS });
}

const NO_PAGE = 'The web inbox is not part of this build. The API is there: see /openapi.json.\n';

import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { check } from '../ledger/check.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { FermataError } from '../schema/error.ts';
import { type AllowedHosts, checkHost, checkOrigin } from './auth/allowed-hosts.ts';
import { authenticate, type Door } from './auth/authenticate.ts';
import { actorOf, type Caller, requirePerson, requireProject } from './auth/caller.ts';
import { httpError } from './http-error.ts';
import { openApi } from './openapi.ts';
import { readJson } from './read-body.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { mountSession } from './session.ts';
import { staticFile } from './static-files.ts';

type Env = { Bindings: HttpBindings };
export type HubContext = Context<Env>;

export interface HubParts {
  ledger: Ledger;
  door: Door;
  allowed: AllowedHosts;
  /** The folder of the built page. */
  web: string;
  /** Gets what went wrong inside. */
  report(error: unknown): void;
}

const PREFIXES = ['', '/api/v1'];

/** All of HTTP: who may come in, the routes, the page. */
export function hubApp(parts: HubParts): Hono<Env> {
  const app = new Hono<Env>();
  app.onError((error, c) => {
    if (!(error instanceof FermataError)) parts.report(error);
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
    await next();
  });
  for (const prefix of PREFIXES) {
    mountSession(app, prefix, parts);
    for (const route of routes) app.on(route.method, prefix + route.path, (c) => serve(c, route, parts));
    app.get(`${prefix}/openapi.json`, async (c) => {
      await identify(c, parts);
      return c.json(openApi(routes));
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
  return c.json(reply, status, { 'cache-control': 'no-store' });
}

/** Who sent it. What a cookie alone proves must also come from our own page, where it changes something. */
export async function identify(c: HubContext, { door, allowed }: HubParts): Promise<Caller> {
  const { authorization, cookie, host, origin } = c.env.incoming.headers;
  const caller = await authenticate(door, { authorization, cookie });
  if (caller.by === 'cookie' && c.req.method !== 'GET') checkOrigin(allowed, { host, origin }, true);
  return caller;
}

const NO_PAGE = 'The web inbox is not part of this build. The API is there: see /openapi.json.\n';

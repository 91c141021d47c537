import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hubApp } from '../../src/hub/app.ts';
import { allowedHosts } from '../../src/hub/auth/allowed-hosts.ts';
import { OpenCalls } from '../../src/hub/mcp/open-calls.ts';
import { Metrics } from '../../src/hub/metrics.ts';
import { jsonSchemas } from '../../src/hub/openapi-schemas.ts';
import { HubWork } from '../../src/hub/work.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { freshFolder } from '../support/fermata.ts';
import { request, sessionOf, testHub } from './support/hub.ts';

type Json = Record<string, unknown>;
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: unknown[];
  parameters: { name: string; in: string; required?: boolean; description: string; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Response | { $ref: string }>;
}
interface Response {
  description: string;
  content?: Record<string, { schema: Json }>;
}
interface Document {
  openapi: string;
  info: Json;
  tags: { name: string; description: string }[];
  components: { schemas: Json; securitySchemes: Record<string, Json>; responses: Record<string, Response> };
  paths: Record<string, Record<string, Operation>>;
}

const place = () => `${freshFolder('openapi')}/ledger.db`;

/** The hub's routes, except links for people and the page. */
async function routerEntries(): Promise<string[]> {
  const ledger = await openLedger(place(), {});
  const auth = { credentials: ledger.credentials, token: 'x'.repeat(40), owner: 'ann', cookieName: 'c' };
  const { routes } = hubApp({
    ...{
      ledger,
      patientLedger: ledger,
      auth,
      allowed: allowedHosts('127.0.0.1', undefined),
      web: '',
      linkKey: { id: '', secret: Buffer.alloc(32) },
    },
    ...{ metrics: new Metrics(), sockets: () => 0, report: () => undefined },
    work: new HubWork({
      ledger,
      environment: undefined,
      home: place(),
      owner: 'ann',
      report: () => undefined,
    }),
    mcpCalls: new OpenCalls({ mcpCalls: 1, mcpCallsPerToken: 1 }),
  });
  await ledger.close();
  const own = routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/a/'));
  return own.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
}

/** The first column of the table of routes; words in capitals stand for ids. */
function routesOnPage(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/hub.md'), 'utf8');
  const [, table = ''] = page.split('| path | |\n|---|---|\n');
  const cells = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (.+?) \| /gm)].map(([, cell = '']) => cell);
  return cells.flatMap(routesIn).sort();
}

/** `GET`, `POST /x`: both methods apply to the path; a path alone has the previous method. */
function routesIn(cell: string): string[] {
  let methods: string[] = [];
  let used = false;
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    const [, method, path] = /^([A-Z]+)?\s*(\/\S*)?/.exec(code) ?? [];
    if (method !== undefined) {
      methods = used ? [method] : [...methods, method];
      used = false;
    }
    if (path === undefined) return [];
    used = true;
    return methods.map((each) => `${each} ${path.replace(/(?<=\/)[A-Z]+(?=\/|$)/g, '*')}`);
  });
}

function resolved({ components }: Document, response: Response | { $ref: string } | undefined): Response {
  if (!response) throw new Error('there is no such response');
  if (!('$ref' in response)) return response;
  const found = components.responses[response.$ref.replace('#/components/responses/', '')];
  if (!found) throw new Error(`${response.$ref} leads nowhere`);
  return found;
}

/** Objects and unions of at least so many characters that are in the document more than once. */
function inlinedTwice(document: unknown, size: number): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (['properties', 'oneOf', 'anyOf'].some((key) => key in value) && text.length >= size) found.push(text);
    Object.values(value).forEach(walk);
  };
  walk(document);
  return found.filter((text, n) => found.indexOf(text) !== n);
}

describe('the OpenAPI document (HUB-1)', async () => {
  async function served(): Promise<Document> {
    const hub = await testHub({ place: place() });
    const reply = await hub.get('/openapi.json');
    expect((await hub.get('/api/v1/openapi.json')).body).toEqual(reply.body);
    return reply.body;
  }
  const operations = ({ paths }: Document) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

  it('has every route of the hub, under both prefixes, and no other', async () => {
    const documented = operations(await served()).map(({ method, path }) => `${method} ${path}`);
    const both = documented.flatMap((entry) => [entry, entry.replace(' ', ' /api/v1')]);
    expect((await routerEntries()).sort()).toEqual(both.sort());
  });

  it('and docs/hub.md name the same routes', async () => {
    const routes = operations(await served())
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '*')}`)
      // Named beside the lists that they count.
      .filter((route) => !route.endsWith('/count'));
    expect(routesOnPage()).toEqual(routes.sort());
  });

  it('follows the rules of OpenAPI 3.1', async () => {
    const document = await served();
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    for (const { path, method, operation } of operations(document)) {
      const where = `${method} ${path}`;
      const { parameters, requestBody, responses } = operation;
      expect(path, where).toMatch(/^\/[^?#]*$/);
      expect(['get', 'post', 'patch', 'delete'], where).toContain(method);
      for (const text of [operation.summary, operation.description]) expect(text, where).toMatch(/\.$/);
      expect(operation.summary, where).not.toContain('. ');
      const named = parameters.filter((parameter) => parameter.in === 'path');
      expect(named.map(({ name }) => name).sort(), where).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      );
      expect(
        named.every(({ required }) => required === true),
        where,
      ).toBe(true);
      const places = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(places).size, where).toBe(places.length);
      if (method === 'get' || method === 'delete') expect(requestBody, where).toBeUndefined();
      expect(Object.keys(responses), where).toContain('default');
      for (const response of Object.values(responses)) {
        const { description, content = {} } = resolved(document, response);
        expect(description, where).toBeTruthy();
        expect(Object.keys(content).length, where).toBeLessThanOrEqual(1);
      }
    }
    // Paths that differ only in parameter names are the same.
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('HUB-1 names each operation once, with a tag and the errors that a client should expect', async () => {
    const document = await served();
    const all = operations(document);
    const ids = all.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const names = document.tags.map(({ name }) => name);
    const used = new Set<string>();
    for (const { path, method, operation } of all) {
      const where = `${method} ${path}`;
      expect(operation.operationId, where).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.tags, where).toHaveLength(1);
      used.add(operation.tags[0] ?? '');
      const { responses, requestBody } = operation;
      const expected = [
        ...['401', '403', 'default'],
        ...(path.includes('{') ? ['404'] : []),
        ...(requestBody ? ['400', '413'] : []),
      ];
      expect(Object.keys(responses), where).toEqual(expect.arrayContaining(expected));
      const own = operation.operationId === 'callMcp' ? ['400', '406', '415'] : []; // JSON-RPC
      for (const name of Object.keys(responses).filter(
        (each) => !each.startsWith('2') && !own.includes(each),
      ))
        expect(resolved(document, responses[name]).content?.['application/json']?.schema, where).toEqual({
          $ref: '#/components/schemas/Error',
        });
    }
    expect([...used].sort()).toEqual([...names].sort());
  });

  it('has only references that resolve, and schemas of valid types', async () => {
    const document = await served();
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref, $schema, $defs, type } = value as Json;
      if (typeof $ref === 'string') {
        const found = $ref
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
        expect(found, `${path}: ${$ref}`).toBeDefined();
      }
      expect([$schema, $defs], path).toEqual([undefined, undefined]);
      // A property may be called "type", too: that one is a schema.
      if (typeof type === 'string' && !path.startsWith('/components/securitySchemes/'))
        expect(types, path).toContain(type);
      for (const [key, each] of Object.entries(value)) walk(each, `${path}/${key}`);
    };
    walk(document, '');
  });

  it('names its schemas, so that generated clients have a type for each (HUB-1)', async () => {
    const document = await served();
    const { paths, components } = document;
    const text = JSON.stringify(document);
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'Notification',
        'Question',
        'Task',
        'Run',
        'Event',
        'Project',
        'Token',
        'Error',
      ]),
    );
    const isUsed = (name: string) => text.includes(`"$ref":"#/components/schemas/${name}"`);
    expect(Object.keys(components.schemas).filter((name) => !isUsed(name))).toEqual([]);
    const at = paths['/projects/{project}/notifications/{notification}'];
    expect(resolved(document, at?.get?.responses['200']).content?.['application/json']?.schema).toMatchObject(
      {
        properties: { data: { $ref: '#/components/schemas/Notification' } },
      },
    );
    expect(at?.patch?.requestBody?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/ResolveInput',
    });
    expect(text.length).toBeLessThan(250_000);
    expect(inlinedTwice({ paths, schemas: components.schemas }, 400)).toEqual([]);
  });

  it('uses a name in requests and responses only if it means the same in both (HUB-1)', () => {
    const { components: sent } = jsonSchemas('input', []);
    const { components: returned } = jsonSchemas('output', []);
    for (const name of Object.keys(sent).filter((each) => each in returned))
      expect(sent[name], name).toEqual(returned[name]);
  });

  it('lists the statuses that each operation returns on success (HUB-1)', async () => {
    const listed: Record<string, string[]> = {};
    for (const { operation } of operations(await served()))
      listed[operation.operationId] = Object.keys(operation.responses).filter((name) => name.startsWith('2'));
    expect(listed).toMatchObject({
      listTasks: ['200'],
      addTask: ['201'],
      claimTask: ['200'],
      reportTaskResult: ['200'],
      revokeToken: ['200'],
      makeToken: ['201'],
      logIn: ['201'],
      startTask: ['200'],
    });
    // The first two return 200 if the same exists already; MCP has no response to a notification.
    const several = Object.entries(listed).filter(([, statuses]) => statuses.length !== 1);
    expect(Object.fromEntries(several)).toEqual({
      addProject: ['200', '201'],
      ask: ['200', '201'],
      callMcp: ['200', '202'],
    });
  });

  it('describes each parameter, and says which ones are numbers (HUB-1)', async () => {
    const document = await served();
    for (const { operation } of operations(document))
      for (const { name, description, schema } of operation.parameters) {
        expect(description, `${operation.operationId} ${name}`).toMatch(/\.$/);
        expect(schema, `${operation.operationId} ${name}`).not.toHaveProperty('description');
      }
    const at = (path: string, name: string) =>
      document.paths[`/projects/{project}/${path}`]?.get?.parameters.find((each) => each.name === name);
    const limit = { type: 'integer', minimum: 1, maximum: 1000 };
    expect(at('tasks', 'limit')?.schema).toEqual({ ...limit, default: 100 });
    expect(at('events', 'limit')?.schema).toEqual({ ...limit, default: 500 });
    expect(at('events', 'after')?.schema).toMatchObject({ type: 'integer', minimum: 0 });
    // It takes the "next" of a page, which is a string.
    expect(at('tasks', 'after')?.schema).toMatchObject({ type: 'string' });
  });

  it('says which body is needed', async () => {
    const { paths } = await served();
    const at = '/projects/{project}/notifications';
    expect(paths[at]?.post?.requestBody).toMatchObject({ required: true });
    expect(paths['/projects/{project}/tasks/{task}/claim']?.post?.requestBody).toMatchObject({
      required: false,
    });
  });

  it('says how to authenticate: with a token, or with a session (HUB-1, HUB-3)', async () => {
    const hub = await testHub({ place: place() });
    const document: Document & Record<'security', unknown> = (await hub.get('/openapi.json')).body;
    const session = { cookie: [], pageKey: [] };
    expect(document.security).toEqual([{ token: [] }, session]);
    const others = operations(document).flatMap(({ operation: { operationId, security } }) =>
      security ? [[operationId, security]] : [],
    );
    expect(Object.fromEntries(others)).toEqual({ logIn: [], logOut: [session], callMcp: [{ token: [] }] });
    const login = await request(`${hub.url}/session`, 'POST', { token: hub.token });
    const sent = sessionOf(login);
    const { cookie, pageKey } = document.components.securitySchemes;
    expect(cookie).toMatchObject({ type: 'apiKey', in: 'cookie', name: sent.cookie.split('=')[0] });
    expect(pageKey).toMatchObject({ type: 'apiKey', in: 'header' });
    expect(Object.keys(sent)).toContain(pageKey?.name);
  });
});

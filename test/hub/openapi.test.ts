import { describe, expect, it } from 'vitest';
import { hubRouter } from '../../src/hub/app.ts';
import { allowedHosts } from '../../src/hub/auth/allowed-hosts.ts';
import { Metrics } from '../../src/hub/metrics.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { freshFolder } from '../support/fermata.ts';
import { testHub } from './support/hub.ts';

type Json = Record<string, unknown>;
interface Operation {
  summary: string;
  security?: unknown[];
  parameters: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content: Record<string, { schema?: Json }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  components: { schemas: Json; securitySchemes: Json };
  paths: Record<string, Record<string, Operation>>;
}

const place = () => `${freshFolder('openapi')}/ledger.db`;

/** What the router answers to, but for what is no API: links for people, and the page. */
async function routerEntries(): Promise<string[]> {
  const ledger = await openLedger(place(), {});
  const door = { credentials: ledger.credentials, token: 'x'.repeat(40), owner: 'ann', cookieName: 'c' };
  const { entries } = hubRouter({
    ...{ ledger, door, allowed: allowedHosts('127.0.0.1', undefined), web: '', linkKey: Buffer.alloc(32) },
    ...{ metrics: new Metrics(), sockets: () => 0, report: () => undefined },
  });
  await ledger.close();
  const own = entries.filter(({ path }) => !path.startsWith('/a/'));
  return own.map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
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

  it('has every entry of the router, under both prefixes, and no other', async () => {
    const documented = operations(await served()).map(({ method, path }) => `${method} ${path}`);
    const both = documented.flatMap((entry) => [entry, entry.replace(' ', ' /api/v1')]);
    expect((await routerEntries()).sort()).toEqual(both.sort());
  });

  it('keeps the rules of OpenAPI 3.1', async () => {
    const document = await served();
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toEqual({ title: expect.any(String), version: expect.any(String) });
    expect(Object.keys(document.components.securitySchemes)).toEqual(['token']);
    for (const { path, method, operation } of operations(document)) {
      const where = `${method} ${path}`;
      const { parameters, requestBody, responses } = operation;
      expect(path, where).toMatch(/^\/[^?#]*$/);
      expect(['get', 'post', 'patch', 'delete'], where).toContain(method);
      expect(operation.summary, where).toMatch(/\.$/);
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
      expect(Object.keys(responses), where).toEqual(expect.arrayContaining(['200', 'default']));
      for (const { description, content } of Object.values(responses)) {
        expect(description, where).toBeTruthy();
        expect(Object.keys(content), where).toHaveLength(1);
      }
    }
    // The names of parameters make no two paths.
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('has only references that lead somewhere, and schemas of types that there are', async () => {
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
      if (typeof type === 'string' && !path.endsWith('/securitySchemes/token'))
        expect(types, path).toContain(type);
      for (const [key, each] of Object.entries(value)) walk(each, `${path}/${key}`);
    };
    walk(document, '');
  });

  it('says which body is needed, and what needs no token', async () => {
    const { paths } = await served();
    const at = '/projects/{project}/notifications';
    expect(paths[at]?.post?.requestBody).toMatchObject({ required: true });
    expect(paths['/projects/{project}/tasks/{task}/claim']?.post?.requestBody).toMatchObject({
      required: false,
    });
    const open = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security }]) => (security ? [`${method} ${path}`] : [])),
    );
    expect(open).toEqual(['post /session']);
  });
});

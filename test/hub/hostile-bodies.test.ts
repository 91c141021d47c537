import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Route } from '../../src/hub/route.ts';
import { routes } from '../../src/hub/routes.ts';
import { eachStoreInLong } from '../ledger/support/stores.ts';
import { testHub } from './support/hub.ts';

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const plain = [
  'null',
  '0',
  '""',
  '[]',
  '{}',
  deep,
  `{"a":${deep}}`,
  '{"__proto__":{"role":"human"}}',
  '\ufeff{}',
];
const texts = [
  '\u0000',
  '\ud800',
  '\u202e<img src=x onerror=alert(1)>',
  '__proto__',
  "'; drop table tasks; --",
  'x'.repeat(70_000),
];
const numbers = [-1, 0.5, 1e308, Number.MAX_SAFE_INTEGER + 1];

/** Every field that some route knows, filled with one hostile value. */
const filled = (text: string, number: number): Record<string, unknown> => ({
  ...{
    source: 'execute',
    sourceId: text,
    questions: [text, { id: text, text, options: [text, { label: text }] }],
  },
  ...{ open_questions: [{ text }], policy: { kind: 'default', after: number, answers: { [text]: text } } },
  ...{ resume: { agent: text, cwd: text }, responses: [{ questionId: text, answer: [text], note: text }] },
  ...{
    id: text,
    title: text,
    body: text,
    text,
    summary: text,
    status: text,
    priority: number,
    fence: number,
  },
  ...{ dependsOn: [text], assignee: text, worker: text, leaseSeconds: number, blockReason: text },
  ...{ agent: text, cwd: text, data: { [text]: text }, steps: [{ kind: 'text', text }], reason: text },
  ...{ root: text, hilConfig: { [text]: text }, name: text, role: text, projectId: text, message: text },
});

/** Of these, what the route takes at all. */
function fitting({ body }: Route, fields: Record<string, unknown>): string {
  const schema = z.toJSONSchema(body ?? z.object(), { io: 'input', unrepresentable: 'any' });
  const shapes = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const known = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
  return JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([key]) => known.has(key))));
}

eachStoreInLong((store) => {
  it('no body, however odd, makes a route fail inside (HUB-3)', { timeout: 120_000 }, async () => {
    const { project } = await store.start();
    const hub = await testHub(store);
    const make = async (path: string, body: unknown) =>
      (await hub.call('POST', `/projects/${project}/${path}`, body)).body.data.id as string;
    const ids: Record<string, string> = {
      project,
      task: await make('tasks', { title: 'Work' }),
      run: await make('runs', { agent: 'claude', source: 'execute', sourceId: 't1' }),
      notification: await make('notifications', { source: 'plan', sourceId: 'x', questions: ['Which?'] }),
    };
    const hostile = texts.map((text, n) => filled(text, numbers[n % numbers.length] ?? 0));
    for (const route of routes.filter(({ body }) => body)) {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'x'));
      for (const body of [...plain, ...hostile.map((fields) => fitting(route, fields))]) {
        const { status } = await hub.call(route.method.toUpperCase(), path, body);
        expect(status, `${route.method} ${path} ${body.slice(0, 200)}`).toBeLessThan(500);
      }
    }
  });
});

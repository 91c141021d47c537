import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { startTracing, stopTracing, traced } from '../../src/telemetry/trace.ts';

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: unknown[];
  status: { code?: number };
}

afterEach(stopTracing);

/** A collector on loopback; `status` is its response to each request. */
async function collector(status = () => 200) {
  const spans: OtlpSpan[] = [];
  const requests: { path?: string; token?: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ path: request.url, token: request.headers['x-token'] as string });
    const code = status();
    if (code === 200) spans.push(...JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
    response.writeHead(code).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { spans, requests, env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } };
}

const silent = () => undefined;

it('TEAM-8 spans go to the OTLP endpoint with their parent, times, attributes and failures', async () => {
  const { spans, requests, env } = await collector();
  startTracing({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b' }, silent);
  const failing = traced('task', { task: 't1' }, async () => {
    await traced('gate', { gate: 'tests' }, async () => undefined);
    throw new TypeError('what an agent wrote');
  });
  await expect(failing).rejects.toThrow();
  await stopTracing();
  expect(requests).toEqual([{ path: '/v1/traces', token: 'a b' }]);
  const [gate, task] = spans;
  expect(gate).toMatchObject({
    name: 'gate',
    parentSpanId: task?.spanId,
    traceId: task?.traceId,
    status: {},
  });
  expect(task).toMatchObject({
    name: 'task',
    attributes: [{ key: 'task', value: { stringValue: 't1' } }],
    status: { code: 2, message: 'TypeError' },
  });
  expect(BigInt(task?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(gate?.endTimeUnixNano ?? 0));
  expect(Math.abs(Number(BigInt(task?.startTimeUnixNano ?? 0) / 1_000_000n) - Date.now())).toBeLessThan(
    60_000,
  );
  expect(JSON.stringify(spans)).not.toContain('what an agent wrote');
});

it('TEAM-8 an unreachable collector is reported once and stops no work; the spans are sent when it is back', async () => {
  let code = 503;
  const { spans, env } = await collector(() => code);
  const told: string[] = [];
  startTracing(env, (text) => told.push(text));
  expect(await traced('task', {}, async () => 'done')).toBe('done');
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]).toMatch(/^Traces cannot be sent to http:.* HTTP 503\. Fermata keeps trying\.$/);
  code = 200;
  await stopTracing();
  expect(spans.map(({ name }) => name)).toEqual(['task']);
  expect(told).toHaveLength(1);
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'is not an http address'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:secret@127.0.0.1:1' }, 'has a name or password in it'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_HEADERS: 'a=%' }, 'is not valid'],
])('TEAM-8 %j is refused with a clear message, and work continues', async (env, sentence) => {
  const told: string[] = [];
  startTracing(env, (text) => told.push(text));
  expect(told).toEqual([expect.stringContaining(sentence)]);
  expect(await traced('task', {}, async () => 1)).toBe(1);
});

import type { Hono } from 'hono';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { failAfter } from '../ledger/engine/store-error.ts';
import { FermataError } from '../schema/error.ts';
import { identify } from './auth/authenticate.ts';
import { type HubEnv, jsonResponse } from './http/context.ts';
import type { Entry } from './openapi.ts';
import type { HubParts } from './parts.ts';

export const healthEntries: Entry[] = [
  {
    operationId: 'getHealth',
    method: 'get',
    path: '/healthz',
    summary: 'Says whether the hub and its store work.',
    who: 'anybody',
    data: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  {
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Returns the metrics of the hub in the format of Prometheus.',
    who: 'anybody',
    responses: { 200: { description: 'Done', content: { 'text/plain': { schema: { type: 'string' } } } } },
  },
];

/** Health checks take a slow response as a failure. */
const LOOK_MS = 1000;

/** Routes for health checks and operators. */
export function addHealth(api: Hono<HubEnv>, parts: HubParts): void {
  api.get('/healthz', async (c) => {
    const look = async () => {
      await identify(c, parts);
      await parts.ledger.projects.list(1);
    };
    await failAfter(look(), LOOK_MS);
    return jsonResponse({ data: { status: 'ok', version: packageJson.version } });
  });

  api.get('/metrics', async (c) => {
    const { projectId } = await identify(c, parts);
    if (projectId !== null) throw new FermataError('forbidden', 'This token is for one project only.');
    const body = parts.metrics.text(parts.sockets(), await parts.ledger.figures.read());
    return c.body(body, 200, { 'content-type': 'text/plain; version=0.0.4' });
  });
}

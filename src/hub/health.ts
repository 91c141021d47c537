import type { Hono } from 'hono';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { FermataError } from '../schema/error.ts';
import { identify } from './auth/identify.ts';
import type { Entry } from './openapi.ts';
import type { HubEnv, HubParts } from './parts.ts';

export const healthEntries: Entry[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'Whether the hub and its store are there.',
    who: 'anybody',
    data: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  {
    method: 'get',
    path: '/metrics',
    summary: "What the hub counts about itself, in Prometheus' format.",
    who: 'anybody',
    mediaType: 'text/plain',
  },
];

/** For those who keep the hub running. */
export function mountHealth(app: Hono<HubEnv>, prefix: string, parts: HubParts): void {
  app.get(`${prefix}/healthz`, async (c) => {
    await identify(c, parts);
    await parts.ledger.projects.list();
    return c.json({ data: { status: 'ok', version: packageJson.version } });
  });

  app.get(`${prefix}/metrics`, async (c) => {
    const { projectId } = await identify(c, parts);
    if (projectId !== null) throw new FermataError('forbidden', 'This token is for one project only.');
    const openNotifications = await parts.ledger.notifications.count(['open']);
    return c.text(parts.metrics.text({ sockets: parts.sockets(), openNotifications }), 200, {
      'content-type': 'text/plain; version=0.0.4',
    });
  });
}

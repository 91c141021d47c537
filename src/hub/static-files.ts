import { serveStatic } from '@hono/node-server/serve-static';
import type { HubContext, HubEnv } from './http/context.ts';

/** The page runs only our own scripts and styles, whatever a question's text contains, and no other site may frame it. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const;

/** Finds the files of the built page. */
export function staticFiles(root: string) {
  const find = serveStatic<HubEnv>({ root });
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

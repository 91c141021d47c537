import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file of the page, ready to send. */
export interface StaticFile {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The page runs only our own scripts and styles, whatever a question's text contains, and no other site may frame it. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const;

/** Reads a file of the built page. Only plain names below its folder are looked up, so no path leads out of it. */
export async function staticFile(root: string, path: string): Promise<StaticFile | undefined> {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const type = types[extname(name)];
  if (type === undefined || !/^(?:[\w-]+\/)*[\w-][\w.-]*$/.test(name)) return undefined;
  try {
    const body = new Uint8Array(await readFile(join(root, name)));
    // Vite puts a content hash into the names in assets/.
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return { body, headers: { ...pageHeaders, 'content-type': type, 'cache-control': cache } };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

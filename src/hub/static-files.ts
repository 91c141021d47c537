import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file of the page, as it is sent. */
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

/** Only scripts and styles of our own run in the page, whatever a question's text says; no other site may frame it. */
const pageHeaders = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
} as const;

/** Reads the built page. Only plain names below its folder are looked up, so that no path leads out of it. */
export async function staticFile(root: string, path: string): Promise<StaticFile | undefined> {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const type = types[extname(name)];
  if (type === undefined || !/^(?:[\w-]+\/)*[\w-][\w.-]*$/.test(name)) return undefined;
  try {
    const body = new Uint8Array(await readFile(join(root, name)));
    // Vite names what is in assets/ by its content.
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return { body, headers: { ...pageHeaders, 'content-type': type, 'cache-control': cache } };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
}

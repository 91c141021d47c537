import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** `npm run build` sets where it goes; `npx vite web` serves it for work on it, with a hub on its usual port. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    modulePreload: false,
    // A data: URL would need a wider content security policy.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:4777', '/ws': { target: 'ws://127.0.0.1:4777', ws: true } },
  },
});

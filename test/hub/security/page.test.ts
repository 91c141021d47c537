import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { freshFolder } from '../../support/fermata.ts';
import { request, testHub } from '../support/hub.ts';
import { raw } from '../support/raw.ts';

describe('the page (HUB-3)', () => {
  eachStoreInLong((store) => {
    it('is served with a strict policy; nothing outside its folder is served', async () => {
      const folder = freshFolder('web');
      mkdirSync(join(folder, 'assets'));
      writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Inbox</title>');
      writeFileSync(join(folder, 'assets/a.js'), 'x');
      writeFileSync(join(folder, '../secret.json'), '{}');
      const hub = await testHub(store, { web: folder });
      const page = await request(`${hub.url}/`, 'GET');
      expect(page.body).toContain('<title>Inbox</title>');
      const policy = Object.fromEntries(
        (page.headers.get('content-security-policy') ?? '').split('; ').map((each) => each.split(/ (.*)/)),
      );
      // Without a `script-src`, `default-src` is what scripts need.
      expect(policy).toEqual({
        'default-src': "'self'",
        'img-src': "'self' data:",
        'form-action': "'self'",
        ...Object.fromEntries(['object-src', 'base-uri', 'frame-ancestors'].map((name) => [name, "'none'"])),
      });
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect((await request(`${hub.url}/assets/a.js`, 'GET')).headers.get('cache-control')).toMatch(
        /immutable/,
      );
      const { port } = new URL(hub.url);
      for (const path of [
        '/../secret.json',
        '/%2e%2e/secret.json',
        '/assets/../../secret.json',
        '/..%2fsecret.json',
      ]) {
        expect(
          await raw(Number(port), `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
        ).toMatch(/^HTTP\/1.1 404/);
      }
    });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '../../dist/web');
const read = (path: string) => readFileSync(join(WEB, path), 'utf8');
const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));

it('the page is smaller than 80 kB, packed', () => {
  const bytes = files.map((path) => gzipSync(readFileSync(join(WEB, path))).length);
  expect(files.some((path) => path.endsWith('.js'))).toBe(true);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000);
});

it('the page loads no script, style or font from another server, and has none inside its HTML (HUB-3)', () => {
  const html = read('index.html');
  for (const [, attributes = '', content = ''] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
    expect(attributes).toMatch(/ src="\/assets\/[\w.-]+\.js"/);
    expect(content.trim()).toBe('');
  }
  expect(html).not.toMatch(/<style|\son\w+=|style=/);
  for (const path of files.filter((name) => /\.(html|css)$/.test(name))) {
    expect(read(path), path).not.toMatch(/(?:https?:)?\/\/[\w.-]+\.\w+/);
  }
});

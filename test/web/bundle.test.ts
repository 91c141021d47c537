import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const WEB = join(import.meta.dirname, '../../dist/web');
const read = (path: string) => readFileSync(join(WEB, path), 'utf8');
const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));

it('INB-13 the page has at most 60 kB as it travels, and each file that gets smaller is there packed', () => {
  const own = files.filter((path) => !/\.(?:br|gz)$/.test(path));
  expect(own.some((path) => path.endsWith('.js'))).toBe(true);
  for (const packed of ['gz', 'br']) {
    const bytes = own.map((path) => statSync(join(WEB, `${path}.${packed}`)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  }
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

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) =>
  join('docs', file),
);
const top = readdirSync(ROOT).filter((file) => file.endsWith('.md'));
const pages = [...top, ...docs.filter((file) => file.endsWith('.md'))];

describe('the links of the documentation', () => {
  it.each(pages)('%s has only links to files and headings that exist', (page) => {
    expect(linksIn(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  it('docs/README.md leads to every page', () => {
    const listed = linksIn('docs/README.md').map((link) => targetOf('docs/README.md', link).file);
    const wanted = pages.filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/decisions/0'));
    expect(wanted.filter((page) => !listed.includes(page))).toEqual([]);
  });
});

/** The targets of its links and pictures within this repository. */
function linksIn(page: string): string[] {
  const text = textOf(page).replace(/^```.*?^```$/gms, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^\w+:/.test(link));
}

function targetOf(page: string, link: string): { file: string; heading: string | undefined } {
  const [path = '', heading] = link.split('#');
  return { file: path === '' ? page : join(dirname(page), path), heading };
}

function leadsSomewhere(page: string, link: string): boolean {
  const { file, heading } = targetOf(page, link);
  return existsSync(join(ROOT, file)) && (heading === undefined || headingsOf(file).includes(heading));
}

/** The headings as GitHub's anchors. */
function headingsOf(file: string): string[] {
  return [
    ...textOf(file)
      .replace(/^```.*?^```$/gms, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

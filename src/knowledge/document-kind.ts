import { posix } from 'node:path';

/** How headings are written in a document. */
export type DocumentKind = 'markdown' | 'underlined' | 'asciidoc';

const kinds: Record<string, DocumentKind> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.rst': 'underlined',
  '.txt': 'underlined',
  '.text': 'underlined',
  '.adoc': 'asciidoc',
  '.asciidoc': 'asciidoc',
};

/** Undefined if it is not a document. Paths have forward slashes. */
export function documentKind(path: string): DocumentKind | undefined {
  const extension = posix.extname(path).toLowerCase();
  if (extension === '' && /^(readme|changelog|contributing|todo|notes)$/i.test(posix.basename(path))) {
    return 'underlined';
  }
  return kinds[extension];
}

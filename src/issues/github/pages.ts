import { FermataError } from '../../schema/error.ts';
import type { GitHubResponse } from './request.ts';

/** All entries of a list, page by page, for as long as the server names a next page. */
export async function* pages(
  request: (url: string) => Promise<GitHubResponse>,
  first: string,
): AsyncGenerator<unknown[], void> {
  const seen = new Set<string>();
  for (let url: string | undefined = first; url !== undefined; ) {
    if (seen.has(url))
      throw new FermataError('invalid', `GitHub returned the same page twice: ${pathOf(url)}`);
    seen.add(url);
    const { json, headers }: GitHubResponse = await request(url);
    if (!Array.isArray(json))
      throw new FermataError('invalid', `GitHub did not return a list for ${pathOf(url)}.`);
    yield json;
    // An empty page is the last one, whatever its header says.
    url = json.length === 0 ? undefined : nextPage(headers.get('link'), url);
  }
}

/** The address with `rel="next"` in a Link header. It must be on the same server, because the token is sent with it. */
function nextPage(link: string | null, current: string): string | undefined {
  for (const [, address = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?\s*(?:[;,]|$)/i.test(parameters)) continue;
    const next = new URL(address, current);
    if (next.origin === new URL(current).origin) return next.href;
    throw new FermataError('invalid', `GitHub linked to a next page on another server: ${next.origin}`);
  }
  return undefined;
}

const pathOf = (url: string) => new URL(url).pathname;

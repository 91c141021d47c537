import { posix } from 'node:path';

export type PlanPath = { path: string } | { outside: string };

/** The file that a link points to, relative to `folder` in the plan; undefined if it points to no file (`#part`). */
export function planPath(href: string, folder = ''): PlanPath | undefined {
  const written = decoded(href.replace(/[#?].*$/s, '')).trim();
  if (written === '') return undefined;
  const path = written.replaceAll('\\', '/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/^[a-z][a-z0-9+.-]*:|^\/|[\x00-\x1f]/i.test(path)) return { outside: written };
  const joined = posix.normalize(posix.join(folder, path));
  if (joined === '.' || joined === '..' || joined.startsWith('../')) return { outside: written };
  return { path: joined };
}

function decoded(href: string): string {
  if (!href.includes('%')) return href;
  try {
    return decodeURIComponent(href);
  } catch {
    return href; // the percent sign is literal
  }
}

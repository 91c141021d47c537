import { isTechnology } from '../../../issues/gaps/words/technology.ts';
import type { Fact, FactRule } from './fact.ts';
import type { SourceLine } from './source-lines.ts';

const endings =
  /\.(?:[cm]?[jt]sx?|py|pyi|rs|go|rb|java|kts?|cs|cpp|cc|c|h|hpp|swift|php|sql|jsonc?|ya?ml|toml|ini|cfg|conf|env|md|mdx|html?|s?css|vue|svelte|sh|ps1|tf|proto|graphql|xml|gradle|lock|csv|txt|ipynb|dockerfile|ex|exs|erl|scala|dart|lua)$/i;
/** Files of plans themselves, because the new plan has its own. */
const ofPlans = /(?:^|\/)(?:MASTER_?PLAN|PLAN|phase[-_]?[\d.]+\w*|NOTES?_[\w-]+)(?:[-_.]\w+)*\.md$|^notes\//i;

/** Files and folders that the source names. */
export const paths: FactRule = {
  kind: 'path',
  *find(lines) {
    for (const line of lines) if (line.kind !== 'fence') yield* inLine(line);
  },
  isKept(text, plan) {
    const path = text.toLowerCase().replace(/^\.\//, '').replace(/\/$/, '');
    return plan.text.includes(path) || plan.text.includes(lastParts(path));
  },
};

function* inLine({ text, line }: SourceLine): Generator<Fact> {
  for (const match of text.matchAll(/[\w@.~*+/[\]-]+/g)) {
    const path = match[0].replace(/^[[\]*]+|[.*[\]+-]+$/g, '');
    const before = text.slice(0, match.index);
    const quoted = (before.match(/`/g)?.length ?? 0) % 2 === 1;
    if (isPath(path, quoted) && !ofPlans.test(path)) yield { text: path, line };
  }
}

function isPath(path: string, quoted: boolean): boolean {
  if (path.length > 300 || !/[a-z]/i.test(path) || path.includes('//')) return false;
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (endings.test(name)) return parts.length > 1 || !isProduct(name);
  if (parts.length === 1) return false;
  // Without an extension it could be `and/or` as well as a folder.
  return /^(?:\.{1,2}|~)?\/./.test(path) || (quoted && name === '');
}

/** `Node.js` and `Next.js` are not files. */
const isProduct = (name: string) => /^[A-Z]\w*\.js$/.test(name) || isTechnology(name.replace(/\.js$/i, ''));

const lastParts = (path: string) => path.split('/').slice(-2).join('/');

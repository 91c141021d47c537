import { isTechnology } from '../../gaps/words/technology.ts';
import type { Fact, FactRule } from './fact.ts';
import type { PlanText } from './plan-text.ts';
import type { SourceLine } from './source-lines.ts';

/** Names that are words, too: they count in code, or with a capital inside of a sentence. */
const ordinary = new Set(
  `make less material oracle black boost spark rocket gin parcel alpine ember remix moment temporal ninja meson expat helm
  nomad lambda envoy celery hugo caddy astro azure solid bulma chakra nose ava pip go node express swift spring rest bun nix
  rust dart ruby python java julia perl apache jetpack`.split(/\s+/),
);
/** Said in passing more often than chosen. */
const everywhere = new Set([
  'http',
  'markdown',
  'github',
  'gitlab',
  'css',
  'html',
  'json',
  'yaml',
  'npm',
  'elk',
]);
/** A name with a capital inside, but not one of the code's own. */
const coined = /^[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+$/;
const ownCode =
  /(?:Service|Controller|Model|Repository|Manager|Handler|Factory|Error|Exception|Tests?|Component|View|Provider|Context|Client|Request|Response|Config|Type|Id|Store|State|Props|Form|Page|Button|List|Table|Event|Plan)$/;
const negated = /\b(?:instead of|rather than|(?:do not|don't|not|never|without) us(?:e|ing)|avoid)\b/i;
const aliases: Record<string, string> = {
  kubernetes: 'k8s',
  golang: 'go',
  opentelemetry: 'otel',
  dotnet: '.net',
};

/** What the source wants it to be made with. */
export const technologies: FactRule = {
  kind: 'technology',
  *find(lines) {
    for (const line of lines) if (line.kind !== 'fence' && !negated.test(line.text)) yield* inLine(line);
  },
  isKept: (name, plan) => isNamed(plainName(name), plan),
};

function* inLine({ text: raw, line }: SourceLine): Generator<Fact> {
  // A command has its own rule.
  const text = raw.replace(/`[^`]*\s[^`]*`/g, (code) => ' '.repeat(code.length));
  for (const match of text.matchAll(/[A-Za-z.][\w.+#]*/g)) {
    const word = match[0].replace(/\.+$/, '');
    const before = text.slice(0, match.index);
    // A part of a path, an address or a longer name is something else.
    if (/[\w/@-]$/.test(before) || /^[/@-]\w|^\(/.test(text.slice(match.index + word.length))) continue;
    const inCode = (before.match(/`/g)?.length ?? 0) % 2 === 1;
    if (isName(word, before, inCode)) yield { text: word, line };
  }
}

function isName(word: string, before: string, inCode: boolean): boolean {
  const small = word.toLowerCase();
  if (everywhere.has(small)) return false;
  if (ordinary.has(small)) return /^[A-Z]/.test(word) && /[a-z,;:(]\s+$/.test(before);
  if (isTechnology(word) || /^[A-Z]\w+\.js$/.test(word)) return true;
  return !inCode && coined.test(word) && !ownCode.test(word);
}

function isNamed(name: string, { words }: PlanText): boolean {
  const others = [aliases[name], Object.entries(aliases).find(([, short]) => short === name)?.[0]];
  if (
    [name, `${name}.js`, `${name}js`, `${name}s`, ...others].some(
      (each) => each !== undefined && words.has(each),
    )
  )
    return true;
  for (let length = 4; length < name.length; length++) if (words.has(name.slice(0, length))) return true;
  if (name.length < 4) return false;
  for (const word of words) if (word.startsWith(name)) return true;
  return false;
}

const plainName = (name: string) => name.toLowerCase().replace(/\.?js$|\d+$/g, '') || name.toLowerCase();

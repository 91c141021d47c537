import { isTechnology } from '../../../issues/gaps/technology.ts';
import { type Fact, type FactRule, type PlanText, type SourceLine, squeezed } from './texts.ts';

/** Names that are also ordinary words: they count only in code, or with a capital inside a sentence. */
const ordinary = new Set(
  `make less material oracle black boost spark rocket gin parcel alpine ember remix moment temporal ninja meson expat helm
  nomad lambda envoy celery hugo caddy astro azure solid bulma chakra nose ava pip go node express swift spring rest bun nix
  rust dart ruby python java julia perl apache jetpack`.split(/\s+/),
);
/** Mentioned in passing more often than chosen. */
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
/** Precedes the name of something that the work uses. */
const using =
  /\b(?:us(?:e|es|ed|ing)|via|built (?:on|with)|powered by|backed by|based on|(?:migrate|switch|move|port(?:ed)?) to|integrat(?:e|es|ion) with)\s+(?:the\s+)?`?$/i;
const properName = /^[A-Z][a-z]+(?:[A-Z]?[a-z0-9])+$/;
const noName =
  /^(?:Phase|Step|Task|Option|Section|Part|Stage|Table|Figure|Appendix|Our|The|This|These|Those|Each|All|Any)$/;
/** Follows a name: `3.12`, `v15`; a single digit may be anything. */
const version = /^ v?(\d+(?:\.\d+)+|\d\d)\+?(?![\w%.,-]*\w|\s?(?:%|ms|s|min|h|[kmg]b)\b)/i;
const negated = /\b(?:instead of|rather than|(?:do not|don't|not|never|without) us(?:e|ing)|avoid)\b/i;
const aliases: Record<string, string> = {
  kubernetes: 'k8s',
  golang: 'go',
  opentelemetry: 'otel',
  dotnet: '.net',
};

/** What the source wants to be used. */
export const technologies: FactRule = {
  kind: 'technology',
  *find(lines) {
    for (const line of lines) if (line.kind !== 'fence' && !negated.test(line.text)) yield* inLine(line);
  },
  isKept: (text, plan) => {
    const [name = '', release = ''] = text.split(' ');
    return isNamed(plainName(name), plan) && plan.text.includes(release);
  },
};

function* inLine({ text: raw, line }: SourceLine): Generator<Fact> {
  // Commands have their own rule.
  const text = raw.replace(/`[^`]*`/g, (code) => (/\s/.test(code) ? ' '.repeat(code.length) : code));
  for (const match of text.matchAll(/[A-Za-z.][\w.+#]*/g)) {
    const word = match[0].replace(/\.+$/, '');
    const before = text.slice(0, match.index);
    // A part of a path, an address or a longer name is something else.
    if (/[\w/@-]$/.test(before) || /^[/@-]\w|^\(/.test(text.slice(match.index + word.length))) continue;
    const inCode = (before.match(/`/g)?.length ?? 0) % 2 === 1;
    if (!isName(word, before, inCode)) continue;
    const release = version.exec(text.slice(match.index + word.length))?.[1];
    yield { text: release ? `${word} ${release}` : word, line };
  }
}

function isName(word: string, before: string, inCode: boolean): boolean {
  const small = word.toLowerCase();
  if (everywhere.has(small)) return false;
  if (ordinary.has(small)) return /^[A-Z]/.test(word) && /[a-z,;:(]\s+$/.test(before);
  if (isTechnology(word) || /^[A-Z]\w+\.js$/.test(word)) return true;
  return !inCode && using.test(before) && properName.test(word) && !noName.test(word);
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

const programs = new Set(
  `npm npx pnpm yarn bun bunx deno node tsc eslint biome prettier jest vitest mocha playwright cypress uv uvx python python3
  pytest ruff mypy pyright pylint flake8 black tox nox poetry hatch pdm cargo go golangci-lint make just task mvn ./mvnw gradle
  ./gradlew dotnet bundle rake rspec rubocop composer phpunit phpstan swift xcodebuild flutter dart mix docker docker-compose
  kubectl helm terraform tflint ansible-lint shellcheck hadolint pre-commit bazel cmake ctest ninja meson sbt lein stack cabal
  zig curl k6 bash sh git`.split(/\s+/),
);
const checking =
  /(?:^|[\s:./-])(?:tests?|lint|check|checks|types?|typecheck|type-check|build|pytest|ruff|mypy|pyright|pylint|flake8|tsc|eslint|biome|prettier|jest|vitest|mocha|clippy|fmt|vet|rspec|rubocop|phpunit|phpstan|tox|nox|audit|verify|validate|coverage|e2e|playwright|cypress|spec|compile|compileall|golangci-lint|shellcheck|hadolint|tflint|analyze|diff|health)(?=$|[\s:./=-])/i;
const shells = /^(?:`{3,}|~{3,})\s*(?:sh|bash|shell|zsh|console|terminal|text)?\s*$/i;
const runner =
  /^(?:uv run|npx|bunx|uvx|pnpm exec|pnpm dlx|yarn|poetry run|hatch run|pdm run|bundle exec|npm exec --)\s+/;

/** Commands in the source that check whether something works. */
export const commands: FactRule = {
  kind: 'command',
  *find(lines) {
    let shell = false;
    for (const line of lines) {
      if (line.kind === 'fence') {
        if (/^\s*(?:`{3,}|~{3,})/.test(line.text)) shell = !shell && shells.test(line.text.trim());
        else if (shell) yield* ifCommand(line.text.replace(/^\s*[$>]\s+/, ''), line);
      } else {
        shell = false;
        for (const [, code = ''] of line.text.matchAll(/`([^`]+)`/g)) yield* ifCommand(code, line);
        const [, bare = ''] = /^\s*[-*+]\s+\**[\w -]{1,40}\**:\**\s+([^`]+)$/.exec(line.text) ?? [];
        yield* ifCommand(bare, line);
      }
    }
  },
  isKept: (text, plan) => {
    const command = squeezed(text);
    return plan.text.includes(command) || plan.text.includes(command.replace(runner, ''));
  },
};

function* ifCommand(code: string, { line }: SourceLine): Generator<Fact> {
  const text = code.replace(/\s+#\s.*$/, '').trim();
  const [program = ''] = text.split(/\s/);
  if (text.length <= 300 && programs.has(program) && checking.test(text)) yield { text, line };
}

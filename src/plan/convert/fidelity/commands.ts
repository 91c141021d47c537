import type { Fact, FactRule } from './fact.ts';
import { squeezed } from './plan-text.ts';
import type { SourceLine } from './source-lines.ts';

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

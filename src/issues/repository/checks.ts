import { isRecord } from '../../ledger/forms/record.ts';

/** A command that checks a project. */
export interface ProjectCheck {
  command: string;
  /** What it runs, if a manifest says so. */
  runs?: string;
}

/** The usual test command of a project with this manifest; undefined if the manifest does not say. */
const testCommands: Record<string, (text: string) => ProjectCheck | undefined> = {
  'package.json': packageScript,
  'composer.json': (text) => script('composer test', scriptsIn(text).test),
  'Cargo.toml': () => ({ command: 'cargo test' }),
  'go.mod': () => ({ command: 'go test ./...' }),
  'mix.exs': () => ({ command: 'mix test' }),
  'Package.swift': () => ({ command: 'swift test' }),
  'pom.xml': () => ({ command: 'mvn --batch-mode test' }),
  'build.gradle': () => ({ command: './gradlew test' }),
  'build.gradle.kts': () => ({ command: './gradlew test' }),
  'pyproject.toml': pytest,
  'requirements.txt': pytest,
  Gemfile: (text) => (/\brspec\b/.test(text) ? { command: 'bundle exec rspec' } : undefined),
  Makefile: (text) => (/^test\s*:(?!=)/m.test(text) ? { command: 'make test' } : undefined),
};

/** The files at the top of a repository that say how to check it. */
export const checkManifests = Object.keys(testCommands);

/** How to check a project, from its manifests: file names with their texts. */
export function detectChecks(manifests: ReadonlyMap<string, string>): ProjectCheck[] {
  const found = checkManifests.flatMap((name) => {
    const text = manifests.get(name);
    const check = text === undefined ? undefined : testCommands[name]?.(text);
    return check ? [check] : [];
  });
  return [...new Map(found.map((check) => [check.command, check])).values()];
}

/** What npm writes into a new manifest. */
const PLACEHOLDER = 'no test specified';

function packageScript(text: string): ProjectCheck | undefined {
  const { test } = scriptsIn(text);
  if (typeof test === 'string' && test.includes(PLACEHOLDER)) return undefined;
  const [, manager = 'npm'] = /"packageManager"\s*:\s*"(pnpm|yarn|bun)@/.exec(text) ?? [];
  return script(manager === 'bun' ? 'bun run test' : `${manager} test`, test);
}

const script = (command: string, runs: unknown): ProjectCheck | undefined =>
  typeof runs === 'string' && runs.trim() !== '' ? { command, runs } : undefined;

function pytest(text: string): ProjectCheck | undefined {
  return /\bpytest\b/.test(text) ? { command: 'python3 -m pytest' } : undefined;
}

function scriptsIn(text: string): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(manifest) && isRecord(manifest.scripts) ? manifest.scripts : {};
  } catch {
    return {}; // an unreadable manifest says nothing
  }
}

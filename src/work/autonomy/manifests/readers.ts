import { fromBazel, fromGoModule, fromGradle, fromMix, fromRuby, fromSbt, fromSwift } from './code.ts';
import { jsonReader, yamlReader } from './data.ts';
import type { Dependencies, ManifestReader } from './dependencies.ts';
import { fromPyproject, fromRequirements, fromSetup, fromSetupCfg } from './python.ts';
import { fromTables } from './toml.ts';
import { fromDotnet, fromPom } from './xml.ts';

const cargo = /dependencies(?:\.|$)|^patch\./;

/** Selected by the end of the path, which begins with a slash. */
const readers: [RegExp, ManifestReader][] = [
  [
    /\/package\.json$/,
    jsonReader({ named: /dependencies$|^overrides$|^resolutions$/i, usual: 'dependencies' }),
  ],
  [/\/(?:deno|jsr|import_map)\.jsonc?$/, jsonReader({ named: /^(?:imports|scopes)$/, usual: 'imports' })],
  [/\/composer\.json$/, jsonReader({ named: /^require(?:-dev)?$/, usual: 'require' })],
  [/\/(?:vcpkg|elm)\.json$/, jsonReader({ named: /dependencies$/, usual: 'dependencies' })],
  [
    /\/(?:pubspec|shard|Chart|environment|conda)\.ya?ml$/,
    yamlReader({ named: /dependencies$|^dependency_overrides$/, usual: 'dependencies' }),
  ],
  [/\/pnpm-workspace\.yaml$/, yamlReader({ named: /^(?:catalogs?|overrides)$/, usual: 'catalog' })],
  [/\/(?:[\w.-]*requirements[\w.-]*|constraints[\w.-]*)\.(?:txt|in|pip)$/i, fromRequirements],
  [/\/requirements\/[^/]+\.(?:txt|in|pip)$/i, fromRequirements],
  [/\/pyproject\.toml$/, fromPyproject],
  [/\/setup\.py$/, fromSetup],
  [/\/setup\.cfg$/, fromSetupCfg],
  [/\/Pipfile$/, (text) => fromTables(text, /^(?:dev-)?packages$/, 'packages')],
  [/\/Cargo\.toml$/, (text) => fromTables(text, cargo, 'dependencies')],
  [/\/(?:Julia)?Project\.toml$/, (text) => fromTables(text, /^(?:deps|compat|extras|weakdeps)$/, 'deps')],
  [/\.versions\.toml$/, (text) => fromTables(text, /^(?:libraries|versions|plugins)$/, 'libraries')],
  [/\/go\.mod$/, fromGoModule],
  [/\/(?:Gemfile|gems\.rb|Podfile|[^/]+\.gemspec)$/, fromRuby],
  [/\/pom\.xml$/, fromPom],
  [/\.gradle(?:\.kts)?$/, fromGradle],
  [/\.sbt$/, fromSbt],
  [
    /\.(?:cs|fs|vb)proj$|\/packages\.config$|\/Directory\.(?:Packages|Build)\.(?:props|targets)$/i,
    fromDotnet,
  ],
  [/\/Package(?:@swift-[\d.]+)?\.swift$/, fromSwift],
  [/\/mix\.exs$/, fromMix],
  [/\/MODULE\.bazel$/, fromBazel],
];

export const isManifest = (path: string) => readerOf(path) !== undefined;

/** The dependencies in a manifest; empty if it cannot be read. */
export function dependenciesIn(path: string, text: string): Dependencies {
  return readerOf(path)?.(text) ?? new Map();
}

function readerOf(path: string): ManifestReader | undefined {
  return readers.find(([end]) => end.test(`/${path}`))?.[1];
}

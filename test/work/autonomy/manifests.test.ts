import { expect, it } from 'vitest';
import { isManifest } from '../../../src/work/autonomy/manifests.ts';

it.each(
  `package.json web/deno.jsonc app/composer.json vcpkg.json pnpm-workspace.yaml pubspec.yaml environment.yml
  requirements-dev.txt requirements/base.in constraints.txt pyproject.toml setup.py setup.cfg Pipfile Cargo.toml Project.toml
  gradle/libs.versions.toml go.mod Gemfile x.gemspec ios/Podfile pom.xml app/build.gradle.kts build.sbt src/App.csproj
  packages.config Directory.Packages.props Package.swift mix.exs MODULE.bazel`
    .trim()
    .split(/\s+/),
)('LED-10 %s is a manifest', (path) => expect(isManifest(path)).toBe(true));

it.each(['src/package.json.ts', 'docs/requirements.md', 'xpackage.json', 'build.gradle.md', 'Gemfile.lock'])(
  'LED-10 %s is not a manifest',
  (path) => expect(isManifest(path)).toBe(false),
);

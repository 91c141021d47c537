import { expect, it } from 'vitest';
import { dependencyChanges } from '../../../src/work/autonomy/find-changes.ts';
import { isManifest } from '../../../src/work/autonomy/manifests/readers.ts';

it.each([
  [
    'package.json',
    '{"dependencies":{"a":"1","b":"1"},"overrides":{"d":{"e":"1"}}}',
    '\uFEFF{"dependencies":{"a":"2"},"devDependencies":{"c":"^3","a":"1"},"scripts":{"x":"y"},"overrides":{"d":{"e":"2"}}}',
    [
      'adds a (devDependencies) 1',
      'adds c (devDependencies) ^3',
      'removes b',
      'changes a from 1 to 2',
      'changes d (overrides) from {"e":"1"} to {"e":"2"}',
    ],
  ],
  ['package.json', '{"dependencies":{"a":"1"}}', '{broken', ['removes a']],
  ['package.json', '{"version":"1"}', '{"version":"2","dependencies":null}', []],
  [
    'web/deno.jsonc',
    '{}',
    '{ // "x"\n"imports": {"@std/a": "jsr:@std/a@1", /* y */},}',
    ['adds @std/a jsr:@std/a@1'],
  ],
  ['app/composer.json', '{}', '{"require":{"php":"^8"}}', ['adds php ^8']],
  [
    'vcpkg.json',
    '{}',
    '{"dependencies":["fmt",{"name":"zlib","host":true}]}',
    ['adds fmt', 'adds zlib {"name":"zlib","host":true}'],
  ],
  [
    'requirements-dev.txt',
    'a==1\n# b\n',
    'a==1 # pinned\r\nC[x]>=2 ; python_version > "3"\r\n-r other.txt\n    --hash=sha256:00\n-e git+https://h/d#egg=d\nhttps://h/e.whl\n',
    ['adds C >=2', 'adds -r other.txt', 'adds -e git+https://h/d#egg=d', 'adds https://h/e.whl'],
  ],
  ['requirements/base.in', 'a==1 \\\n  --hash=sha256:0\n', 'a==2 \\\n', ['changes a from ==1 to ==2']],
  [
    'pyproject.toml',
    '[project]\ndependencies = ["a>=1"]\n',
    '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "x"\ndependencies = [\n  "a>=1",\n  # "old",\n  "b[extra]~=2",\n]\n[project.optional-dependencies]\ntest = ["c"]\n[tool.poetry.dependencies]\nd = "^1"\n[tool.uv.sources]\na = { git = "https://h/a" }\n',
    [
      'adds hatchling (requires)',
      'adds b ~=2',
      'adds c (test)',
      'adds d ^1',
      'adds a (tool.uv.sources) { git = "https://h/a" }',
    ],
  ],
  ['setup.py', 'setup(\n', "setup(\n  install_requires=['a>=1'],\n  name='x',\n)\n", ['adds a >=1']],
  [
    'setup.cfg',
    '[options]\n',
    '[options]\npython_requires = >=3\ninstall_requires =\n    a>=1\n    b\n',
    ['adds a >=1', 'adds b'],
  ],
  [
    'Cargo.toml',
    '[package]\nname = "x"\n[dependencies]\na = "1"\n[dependencies.f]\nversion = "1"\n',
    '[package]\nname = "y"\n[dependencies]\na = { version = "2" } # newer\n[dependencies.f]\nversion = "1"\ngit = "https://h/f"\n[dev-dependencies.b]\nversion = "1"\n[patch.crates-io]\ng = { path = "../g" }\n',
    [
      'adds b (dev-dependencies) 1',
      'adds g (patch.crates-io) { path = "../g" }',
      'changes a from 1 to { version = "2" }',
      'changes f from 1 to 1, git = https://h/f',
    ],
  ],
  [
    'go.mod',
    'module m.org/x\n\nrequire a.org/b v1.0.0\n',
    'module m.org/x\n\ngo 1.22\n\nrequire (\n\ta.org/b v1.0.0\n\tc.org/d v2.0.0 // indirect\n)\nreplace a.org/b => ../fork\n',
    ['adds c.org/d v2.0.0', 'adds a.org/b (replace) ../fork'],
  ],
  [
    'Gemfile',
    "gem 'a'\n",
    "gem 'a', '~> 1'\ngem \"b\"\ngem 'c', git: 'https://h/c' # fork\n# gem 'd'\n",
    ['adds b', "adds c git: 'https://h/c'", 'changes a from any to ~> 1'],
  ],
  ['x.gemspec', '', "  spec.add_development_dependency 'a', '~> 1'\n", ['adds a ~> 1']],
  ['ios/Podfile', '', "  pod 'A', '~> 1'\n", ['adds A ~> 1']],
  [
    'pom.xml',
    '<project><version>1</version><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>',
    '<project><version>2</version><properties><j.version>5</j.version></properties><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><exclusions><exclusion><groupId>x</groupId></exclusion></exclusions><version>2</version></dependency><!-- <dependency><artifactId>no</artifactId></dependency> --></dependencies><build><plugin><artifactId>p</artifactId></plugin></build></project>',
    ['adds p (plugin)', 'adds j.version 5', 'changes g:a from 1 to 2'],
  ],
  [
    'app/build.gradle.kts',
    'dependencies { implementation("g:a:1") }\n',
    'plugins { id("p") version "3"; kotlin("jvm") version "2" }\ndependencies {\n  implementation("g:a:2") // "x:y:1"\n  testImplementation(libs.junit)\n  api group: \'h\', name: \'b\', version: \'4\'\n}\nrepositories { url "https://repo.h/x" }\n',
    ['adds p 3', 'adds jvm 2', 'adds libs.junit', 'adds b 4', 'changes g:a from 1 to 2'],
  ],
  [
    'gradle/libs.versions.toml',
    '',
    '[versions]\nk = "1"\n[libraries]\na = { module = "g:a" }\n',
    ['adds k (versions) 1', 'adds a { module = "g:a" }'],
  ],
  ['build.sbt', '', 'libraryDependencies += "org.x" %% "a" % "1.0"\n', ['adds "org.x" %% "a" 1.0']],
  [
    'src/App.csproj',
    '<Project><PackageReference Include="A" Version="1" /></Project>',
    '<Project><PackageReference Include="A" Version="2" /><PackageReference Include="B"><Version>3</Version></PackageReference><PackageReference Include="C" /><ProjectReference Include="D" Version="9" /></Project>',
    ['adds B 3', 'adds C', 'changes A from 1 to 2'],
  ],
  ['packages.config', '', '<packages><package id="A" version="1" /></packages>', ['adds A 1']],
  [
    'Package.swift',
    '',
    'dependencies: [\n  .package(url: "https://h/a.git", from: "1.0.0"),\n  .package(path: "../b"),\n]',
    ['adds https://h/a.git from: "1.0.0"', 'adds ../b'],
  ],
  [
    'pubspec.yaml',
    'dependencies:\n  a: ^1\n',
    'version: 2\ndependencies:\n  a: ^2\n  flutter:\n    sdk: flutter\ndev_dependencies:\n  b: any\n',
    ['adds flutter {"sdk":"flutter"}', 'adds b (dev_dependencies) any', 'changes a from ^1 to ^2'],
  ],
  [
    'mix.exs',
    'defp deps do\n  [{:a, "~> 1"}]\nend\n',
    'defp deps do\n  [{:a, "~> 2"},\n   {:b, git: "https://h/b"}]\nend\n{:ok, x}\n',
    ['adds b git: "https://h/b"', 'changes a from ~> 1 to ~> 2'],
  ],
  ['MODULE.bazel', '', 'bazel_dep(name = "a", version = "1")', ['adds a version = "1"']],
])('LED-10 dependencies are seen in %s', (path, before, after, changes) => {
  expect(dependencyChanges(path, before, after).sort()).toEqual(
    changes.map((change) => `${path} ${change}`).sort(),
  );
  expect(dependencyChanges(path, after, after)).toEqual([]);
});

it.each(['src/package.json.ts', 'docs/requirements.md', 'xpackage.json', 'build.gradle.md', 'Gemfile.lock'])(
  'LED-10 %s is not a manifest',
  (path) => expect(isManifest(path)).toBe(false),
);

it.each([
  ['pom.xml', '<dependency>'],
  ['pom.xml', '<!--'],
  ['a.csproj', '<PackageReference '],
  ['build.gradle', 'id '],
  ['build.gradle', '"a:'],
  ['Package.swift', '.package('],
  ['deno.jsonc', '/*'],
  ['deno.jsonc', ','],
  ['Cargo.toml', '[dependencies.a]\n'],
  ['requirements.txt', ' '],
  ['Gemfile', "gem 'a', "],
  ['mix.exs', '{:a, "'],
  ['pyproject.toml', '"'],
])('LED-10 %s full of %j is read in a moment', (path, piece) => {
  const start = performance.now();
  dependencyChanges(path, '', piece.repeat(Math.ceil(1_000_000 / piece.length)));
  expect(performance.now() - start).toBeLessThan(5000);
});

import { collect, type Dependencies, fromLines, linesOf, matches } from './dependencies.ts';

/** Manifests that are programs: dependencies are recognised by their syntax. */

const gradle = [
  /["']([\w.-]{1,200}:[\w.-]{1,200})(?::([^"':@]{0,100}))?(?:[:@][^"']{0,100})?["']/g,
  /\bname\s{0,9}[:=]\s{0,9}["']([^"']{1,200})["']\s{0,9},\s{0,9}version\s{0,9}[:=]\s{0,9}(["'][^"']{0,100}["'])/g,
  /\b(?:id|kotlin)[ \t]{0,9}\(?[ \t]{0,9}["']([^"']{1,200})["'][ \t]{0,9}\)?(?:[ \t]{0,9}version[ \t]{0,9}\(?[ \t]{0,9}(["'][^"']{1,100}["']))?/g,
  /\b(?:\w{0,50}[iI]mplementation|\w{0,50}[aA]pi|\w{0,50}[oO]nly|kapt|ksp|\w{0,50}[pP]rocessor|classpath|alias)[ \t]{0,9}\(?[ \t]{0,9}(?:platform[ \t]{0,9}\([ \t]{0,9})?(libs\.[\w.]{1,200})/g,
];

export function fromGradle(text: string): Dependencies {
  const code = linesOf(text)
    .map((line) => line.replace(/(?:^|[^:])\/\/.*$/, ''))
    .join('\n');
  return collect(gradle.flatMap((pattern) => matches(code, pattern)));
}

export const fromSbt = (text: string) =>
  fromLines(text, /("[\w.-]+"\s{0,9}%{1,3}\s{0,9}"[\w.-]+")\s{0,9}%\s{0,9}("[^"]*"|[\w.]+)/);

/** `gem 'a', '~> 1'` of Bundler, `pod` of CocoaPods, `add_dependency` of a gem itself. */
export const fromRuby = (text: string) =>
  fromLines(
    text,
    /^\s*(?:gem|pod|\w+\.add_(?:\w+_)?dependency)[\s(]\s{0,9}['"]([^'"]+)['"](?:\s{0,9},\s{0,9}([^#)]*))?/,
  );

export const fromSwift = (text: string) =>
  collect(
    matches(
      text,
      /\.package\s{0,9}\(\s{0,99}(?:name:\s{0,9}"[^"]{0,200}"\s{0,9},\s{0,99})?(?:url|path|id):\s{0,9}"([^"]{1,500})"([^)]{0,500})/g,
    ).map(([name, rest]): [string, string] => [name, rest.replace(/\s+/g, ' ')]),
  );

export const fromMix = (text: string) =>
  fromLines(
    text,
    /\{\s{0,9}:(\w+)\s{0,9},\s{0,9}("[^"]*"[^}]*|(?:git|github|path|in_umbrella|hex|only|override|runtime):[^}]*)\}/,
  );

export const fromBazel = (text: string) =>
  collect(matches(text, /\bbazel_dep\s{0,9}\(\s{0,99}name\s{0,9}=\s{0,9}"([^"]{1,200})"([^)]{0,300})/g));

const required = /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/\S+)\s+(v\S+)/;
const replaced = /^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+(\S+(?:\s+v\S+)?)/;

/** What is required, and what replaces it. */
export function fromGoModule(text: string): Dependencies {
  return collect(
    linesOf(text).flatMap((line): [string, string][] => {
      const [, name, target] = replaced.exec(line) ?? [];
      if (name !== undefined && target !== undefined) return [[`${name} (replace)`, target]];
      const [, module, version] = required.exec(line) ?? [];
      return module === undefined || version === undefined ? [] : [[module, version]];
    }),
  );
}

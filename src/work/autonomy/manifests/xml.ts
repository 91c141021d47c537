import { collect, type Dependencies } from './dependencies.ts';

/** Maven: dependencies, plugins and the parent, and the properties that hold versions. */
export function fromPom(text: string): Dependencies {
  const clean = without(without(text, '<!--', '-->'), '<exclusions>', '</exclusions>');
  const parts = clean.split(/<(?=(?:dependency|plugin|extension|parent)>)/).slice(1);
  const named = parts.map((part): [string, string] => {
    const [kind = ''] = part.split('>', 1);
    const name = [tag(part, 'groupId'), tag(part, 'artifactId')].filter((each) => each !== '').join(':');
    return [kind === 'dependency' ? name : `${name} (${kind})`, tag(part, 'version')];
  });
  const properties = [...clean.matchAll(/<([\w.-]{1,100})>([^<>]{0,200})<\//g)].flatMap(
    ([, name = '', value = '']): [string, string][] =>
      /[\w.-]version$/i.test(name) && name !== 'modelVersion' ? [[name, value.trim()]] : [],
  );
  return collect([...named, ...properties]);
}

const package_ = /<(?=(?:PackageReference|PackageVersion|GlobalPackageReference|package)\s)/i;
const packageEnd = /\/>|<\/(?:PackageReference|PackageVersion|GlobalPackageReference|package)>/i;

/** .NET: project files, central versions, and the older `packages.config`. */
export function fromDotnet(text: string): Dependencies {
  const parts = without(text, '<!--', '-->').split(package_).slice(1);
  return collect(
    parts.flatMap((part): [string, string][] => {
      const [element = ''] = part.split(packageEnd, 1);
      const [, name] = /\b(?:Include|Update|id)\s{0,9}=\s{0,9}"([^"]{1,200})"/i.exec(element) ?? [];
      const [, inside] = /\bVersion(?:Override)?\s{0,9}=\s{0,9}"([^"]{0,200})"/i.exec(element) ?? [];
      return name === undefined ? [] : [[name, inside ?? tag(element, 'Version')]];
    }),
  );
}

function tag(part: string, name: string): string {
  const [, after = ''] = part.split(`<${name}>`, 2);
  return (after.split('<', 1)[0] ?? '').trim();
}

/** Removes what is between the two marks; an unclosed one extends to the end. */
function without(text: string, from: string, to: string): string {
  const [first = '', ...rest] = text.split(from);
  return first + rest.map((part) => part.split(to).slice(1).join(to)).join('');
}

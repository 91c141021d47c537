import { dependenciesIn } from './manifests/readers.ts';

/** What became of the dependencies in one manifest, in words: `package.json adds lodash 4.17.21`. */
export function dependencyChanges(path: string, before: string, after: string): string[] {
  const old = dependenciesIn(path, before);
  const now = dependenciesIn(path, after);
  const added = [...now].filter(([name]) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const changed = [...now].filter(([name, version]) => old.has(name) && old.get(name) !== version);
  return [
    ...added.map(([name, version]) => `${path} adds ${name} ${version}`.trim()),
    ...removed.map((name) => `${path} removes ${name}`),
    ...changed.map(
      ([name, version]) => `${path} changes ${name} from ${old.get(name) || 'any'} to ${version || 'any'}`,
    ),
  ];
}

import { posix } from 'node:path';
import { type BlobTexts, isLink, type TreeChange, type TreeFile } from '../../git/tree-files.ts';
import { isRecord } from '../../ledger/forms/record.ts';
import { readYaml } from '../phases/read-yaml.ts';
import { plain } from './steering-files.ts';

/** What of a manifest runs at an install or a commit, or decides which programs do. */
const readers: Record<string, (text: string) => unknown> = {
  'package.json': (text) =>
    picked(
      readJson(text),
      /^(?:preinstall|install|postinstall|prepublish|(?:pre|post)?prepare|dependencies|pnpm:devPreinstall)$/,
      /^(?:packageManager|devEngines|gypfile|pnpm|allowScripts|trustedDependencies|dependenciesMeta|husky|lint-staged|nano-staged|simple-git-hooks|gitHooks|pre-commit|commitlint)$/,
    ),
  'composer.json': (text) =>
    picked(readJson(text), /^(?:pre-|post-|init$|command$)/, /^(?:config|repositories)$/),
  'pnpm-workspace.yaml': (text) => {
    const read = readYaml(text);
    return 'value' in read ? picked(read.value, /^$/, /^(?!(?:packages|catalogs?|overrides)$)/) : undefined;
  },
};

/** The paths of the manifests in which that changed, or of which Fermata cannot tell. */
export async function installChanges(changes: TreeChange[], texts: BlobTexts): Promise<Set<string>> {
  const manifests = changes.flatMap((change) => {
    const read = readers[posix.basename(plain(change.path))];
    return read ? [{ change, read }] : [];
  });
  await texts.load(manifests.flatMap(({ change: { before, after } }) => [before, after]));
  const found = manifests.filter(({ change: { before, after }, read }) => {
    if (after === undefined) return false;
    const [old, now] = [before, after].map((file) => {
      if (file === undefined) return JSON.stringify([{}, {}]);
      return isReadable(file, texts) ? JSON.stringify(read(texts.of(file))) : undefined;
    });
    return now === undefined || now !== old;
  });
  return new Set(found.map(({ change: { path } }) => path));
}

const isReadable = (file: TreeFile, texts: BlobTexts) => !isLink(file) && !texts.isTooLarge(file);

/** These scripts and other entries; undefined if the manifest cannot be read. */
function picked(manifest: unknown, scripts: RegExp, entries: RegExp): unknown {
  if (!isRecord(manifest)) return undefined;
  const those = (record: unknown, names: RegExp) =>
    Object.fromEntries(Object.entries(isRecord(record) ? record : {}).filter(([name]) => names.test(name)));
  return [those(manifest.scripts, scripts), those(manifest, entries)];
}

const comment = /("(?:\\.|[^"\\\n])*")|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/)){0,10000}\*\//g;
const lastComma = /("(?:\\.|[^"\\\n])*")|,(?=[ \t\r\n]{0,200}[}\]])/g;

/** JSON, possibly with comments and trailing commas; undefined if it is invalid. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(
      text
        .replace(/^\uFEFF/, '')
        .replace(comment, '$1')
        .replace(lastComma, '$1'),
    );
  } catch {
    return undefined; // invalid while somebody edits it; its gates will fail then
  }
}

// Collects the licences of everything that the build puts into dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A plugin for rolldown and vite that adds the folder of each bundled package to `folders`. */
export function bundledPackages(folders) {
  return {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      for (const { moduleIds = [] } of Object.values(bundle)) {
        for (const id of moduleIds) {
          const folder = packageFolder(id);
          if (folder) folders.add(folder);
        }
      }
    },
  };
}

/** The text of all licences, by package. Throws if a package has none, because it must not be shipped then. */
export function licencesText(folders) {
  const entries = [...folders].map(licenceOf).sort((a, b) => (a.name < b.name ? -1 : 1));
  const intro = 'Fermata contains code of these packages. Each is used under its own licence.';
  const texts = entries.map(
    ({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}`,
  );
  return `${[intro, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function packageFolder(id) {
  const file = id.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/');
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return folder;
}

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = licenceFiles(folder) || readmeSection(folder);
  if (text) return { name, version, licence: license ?? 'see below', text };
  if (!license) throw new Error(`${name} ${version} has no licence, so it cannot be bundled.`);
  const by = author?.name ?? author ?? 'its authors';
  return { name, version, licence: license, text: `Copyright (c) ${by}. The package has no licence text.` };
}

function licenceFiles(folder) {
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)([-.]|$)/i.test(entry));
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
}

/** Some packages have their licence only at the end of their README. */
function readmeSection(folder) {
  const readme = readdirSync(folder).find((entry) => /^readme(\.|$)/i.test(entry));
  const text = readme ? readFileSync(join(folder, readme), 'utf8') : '';
  return /^#+ *licen[cs]e.*\n([^#]*)/im.exec(text)?.[1]?.trim();
}

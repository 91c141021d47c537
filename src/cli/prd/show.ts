import { didYouMean } from '../../config/near.ts';
import { loadSettings } from '../../config/settings.ts';
import { findSection, prdPath, readPrd, sectionsOf } from '../../plan/prd.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { visible } from '../../schema/visible.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson, tell } from '../output.ts';

export async function show(wanted: string, options: CommonOptions): Promise<void> {
  const path = prdPath(loadSettings(process.cwd(), process.env, options).project.value.root);
  const text = readPrd(path);
  const sections = sectionsOf(text);
  const shown = wanted === '' ? sections : [findSection(text, wanted) ?? unknown(wanted, sections)];
  if (options.format === 'json') {
    return printJson({ path, sections: shown.map(({ key, title, content }) => ({ key, title, content })) });
  }
  if (text === '') return tell(`There is no ${path} yet. Create it with: ${cmd`prd update SECTION TEXT`}`);
  const [only] = shown;
  await print(visible(wanted !== '' && only ? `## ${only.title}\n\n${only.content}` : text));
}

function unknown(wanted: string, sections: { key: string; title: string }[]): never {
  const titles = sections.map(({ title }) => title);
  const known = titles.length > 0 ? ` Sections: ${titles.join(', ')}.` : ' It has no sections yet.';
  throw new FermataError(
    'not_found',
    `PRD.md has no section "${wanted}".${didYouMean(wanted, titles)}${known}`,
  );
}

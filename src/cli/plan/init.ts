import { join, resolve } from 'node:path';
import { quoted } from '../../agents/shell-words.ts';
import { findRepository } from '../../config/repository.ts';
import { gatherSurroundings } from '../../planning/audit/gather-surroundings.ts';
import { findPlaceholders } from '../../planning/audit/placeholders.ts';
import { parsePlan } from '../../planning/plan/parse-plan.ts';
import { refuseUnusableFolder, slug } from '../../planning/plan-folder.ts';
import type { TemplateName } from '../../planning/templates/phase-templates.ts';
import { scaffoldPlan } from '../../planning/templates/scaffold-plan.ts';
import { writePlanFolder } from '../../planning/write-plan-folder.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson, tell } from '../output.ts';
import { shownPath } from '../shown-path.ts';

export interface InitOptions extends CommonOptions {
  phases: number;
  template: TemplateName;
  output?: string;
}

export async function initPlan(name: string, options: InitOptions): Promise<void> {
  const feature = name.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(feature)) {
    throw new FermataError('invalid', `"${name}" is no name: say in a few words what is to be built.`);
  }
  const top = findRepository('.')?.top ?? process.cwd();
  const folder = resolve(options.output ?? join(top, 'plans', slug(feature)));
  refuseUnusableFolder(folder);
  const { scripts } = gatherSurroundings(top, parsePlan([]));
  const { phases, template } = options;
  const files = scaffoldPlan({ feature, phases, template, created: today(), scripts });
  writePlanFolder(folder, files);
  const placeholders = files.flatMap((file) =>
    findPlaceholders(file.content).map(({ text, place }) => ({ file: file.name, line: place.line, text })),
  );
  if (options.format === 'json') {
    return printJson({ output: folder, files: files.map((file) => file.name), placeholders });
  }
  const shown = shownPath(folder);
  await print([shown, ...files.map((file) => `  ${file.name}`)].join('\n'));
  tell(`${placeholders.length} places are to be filled in:`);
  for (const { text, count } of counted(placeholders))
    tell(`  ${text}${count > 1 ? ` (${count} times)` : ''}`);
  tell(`"fermata audit ${quoted(shown)}" shows where each of them is.`);
}

function counted(placeholders: { text: string }[]): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { text } of placeholders) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Array.from(counts, ([text, count]) => ({ text, count }));
}

/** By the person's own calendar. */
function today(): string {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

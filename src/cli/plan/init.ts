import { join, resolve } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { shownPath } from '../../files/real-path.ts';
import { gatherSurroundings } from '../../plan/audit/gather-surroundings.ts';
import { findPlaceholders } from '../../plan/audit/placeholders.ts';
import { parsePlan } from '../../plan/grammar/parse-plan.ts';
import { refuseUnusableFolder, slug } from '../../plan/plan-folder.ts';
import { scaffoldPlan } from '../../plan/templates/scaffold-plan.ts';
import type { TemplateName } from '../../plan/templates/templates.ts';
import { writePlanFolder } from '../../plan/write-plan-folder.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { CommonOptions } from '../command.ts';
import { print, printJson, tell } from '../output.ts';

export interface InitOptions extends CommonOptions {
  phases: number;
  template: TemplateName;
  output?: string;
  force?: true;
}

export async function initPlan(name: string, options: InitOptions): Promise<void> {
  const feature = name.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(feature)) {
    throw new FermataError('invalid', `"${name}" is not a valid name. Say in a few words what to build.`);
  }
  const top = findRepository('.')?.top ?? process.cwd();
  const folder = resolve(options.output ?? join(top, 'plans', slug(feature)));
  refuseUnusableFolder(folder, options.force);
  const { scripts } = gatherSurroundings(top, parsePlan([]));
  const { phases, template } = options;
  const files = scaffoldPlan({ feature, phases, template, created: today(), scripts });
  const backup = writePlanFolder(folder, files, options.force);
  const placeholders = files.flatMap((file) =>
    findPlaceholders(file.content).map(({ text, span }) => ({ file: file.name, line: span.line, text })),
  );
  if (options.format === 'json') {
    const kept = backup ? { backup } : {};
    return printJson({ output: folder, files: files.map((file) => file.name), placeholders, ...kept });
  }
  const shown = shownPath(folder);
  await print([shown, ...files.map((file) => `  ${file.name}`)].join('\n'));
  if (backup) tell(`The previous plan is kept in ${shownPath(backup)}.`);
  tell(`Fill in ${placeholders.length} placeholders:`);
  for (const { text, count } of counted(placeholders))
    tell(`  ${text}${count > 1 ? ` (${count} times)` : ''}`);
  tell(`"${cmd`audit ${shown}`}" shows where they are.`);
}

function counted(placeholders: { text: string }[]): { text: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { text } of placeholders) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Array.from(counts, ([text, count]) => ({ text, count }));
}

/** In the person's own time zone. */
function today(): string {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

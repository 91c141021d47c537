import type { PlanOrigin } from '../../schema/plan-origin.ts';
import type { Plan } from '../grammar/plan.ts';
import { escaped } from './complete-master.ts';

/**
 * The items under `## Assumptions` of a plan's master that its author wrote. Excludes those for a question of its origin,
 * because it may have been answered since.
 */
export function writtenAssumptions(
  { files, master }: Pick<Plan, 'files' | 'master'>,
  origin: PlanOrigin | undefined,
): string[] {
  const file = files.get(master);
  const text = file && 'text' in file ? file.text : '';
  const [, section = ''] = /^## Assumptions[ \t]*\r?\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text) ?? [];
  const ours = (origin?.questions ?? []).map(({ question }) => escaped(question));
  return Array.from(section.matchAll(/^[-*] (.+)$/gm), ([, item = '']) => item.trim()).filter(
    (item) => item !== '' && !ours.some((question) => item.startsWith(question)),
  );
}

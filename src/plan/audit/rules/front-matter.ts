import { boldFields } from '../../grammar/fields.ts';
import { readMarkdown } from '../../grammar/markdown.ts';
import { readSections } from '../../grammar/sections.ts';
import type { Finding, Rule } from '../issue.ts';
import { phaseFiles } from '../phase-files.ts';

/** Keys that involve people and count only in front matter. */
const keys = new Map([
  ['requires manual testing', 'requires_manual_testing'],
  ['variants', 'variants'],
  ['debug', 'debug'],
]);
const anyKey = /\*\*\s*(?:requires[\s_-]manual[\s_-]testing|variants|debug)\b/i;

export const notInFrontMatter: Rule = {
  code: 'NOT_IN_FRONT_MATTER',
  severity: 'warning',
  summary: '`requires_manual_testing`, `variants` or `debug` is a bold field, which has no effect',
  check: (plan) =>
    Array.from(phaseFiles(plan), ({ file: { path } }) => {
      const file = plan.files.get(path);
      return file && 'text' in file ? misplacedIn(path, file.text) : [];
    }).flat(),
};

function misplacedIn(file: string, text: string): Finding[] {
  if (!anyKey.test(text)) return [];
  const document = readMarkdown(text);
  return boldFields(document, readSections(document, []).texts).flatMap(({ name, value, span }) => {
    const key = keys.get(name);
    if (key === undefined) return [];
    const message = `**${name}:** has no effect here, because it is read only from the front matter.`;
    const suggestion = `Put this at the top of the file, between two --- lines: ${key}: ${value}`;
    return [{ message, suggestion, file, span }];
  });
}

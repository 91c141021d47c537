import type { OwnFile } from '../../files/own-file.ts';
import { FermataError } from '../../schema/error.ts';

/** `{name}` is a placeholder; `{{name}}` stands for `{name}` as it is. */
const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/** Fills a template in one go, so that what is put in is never looked at as a template. */
export function fillTemplate(template: string, values: Record<string, string>): string {
  return template.replace(placeholder, (whole, literal: string | undefined, name: string) => {
    if (literal !== undefined) return `{${literal}}`;
    return Object.hasOwn(values, name) ? (values[name] ?? '') : whole;
  });
}

export const hasPlaceholder = (template: string, name: string) =>
  [...template.matchAll(placeholder)].some(([, , found]) => found === name);

/** Refuses a template that names something else than these placeholders, or lacks the one without which it is useless. */
export function checkTemplate({ path, text }: OwnFile, required: string, known: readonly string[]): void {
  const all = `${known.map((name) => `{${name}}`).join(', ')}`;
  for (const { 2: name, index } of text.matchAll(placeholder)) {
    if (name === undefined || known.includes(name)) continue;
    const line = text.slice(0, index).split('\n').length;
    throw new FermataError(
      'invalid',
      `${path}, line ${line}: {${name}} is not a placeholder. Use ${all}, or write {{${name}}} for the text itself.`,
    );
  }
  if (hasPlaceholder(text, required)) return;
  throw new FermataError(
    'invalid',
    `${path} lacks the placeholder {${required}}. Add it. The placeholders are ${all}.`,
  );
}

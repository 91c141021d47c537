import type { OwnFile } from '../../files/own-file.ts';
import { FermataError } from '../../schema/error.ts';

/** `{name}` is a placeholder; `{{name}}` gives a literal `{name}`. */
const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g;

/** Fills a template in one pass, so that inserted text is never read as a template. */
export function fillTemplate(template: string, values: Record<string, string>): string {
  return template.replace(placeholder, (whole, literal: string | undefined, name: string) => {
    if (literal !== undefined) return `{${literal}}`;
    return Object.hasOwn(values, name) ? (values[name] ?? '') : whole;
  });
}

export const hasPlaceholder = (template: string, name: string) =>
  [...template.matchAll(placeholder)].some(([, , found]) => found === name);

/** Refuses a template with an unknown placeholder, or without the required one. */
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

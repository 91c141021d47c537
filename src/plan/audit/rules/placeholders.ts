import type { TextSpan } from '../../grammar/plan.ts';
import type { Finding, Rule } from '../issue.ts';
import { phaseFiles } from '../phase-files.ts';
import { findPlaceholders } from '../placeholders.ts';

export const placeholderLeft: Rule = {
  code: 'PLACEHOLDER_LEFT',
  severity: 'warning',
  summary: 'a placeholder is not filled in: `{…}`, `TBD`, `[Describe …]`',
  *check(plan) {
    const files = Array.from(phaseFiles(plan), ({ file }) => file);
    const told = new Set<string>();
    for (const path of new Set([plan.master, ...files.map((file) => file.path)])) {
      const file = plan.files.get(path);
      if (!file || !('text' in file)) continue;
      for (const { text, place } of findPlaceholders(file.text)) {
        told.add(`${path}:${place.line}`);
        yield finding(text, path, place);
      }
    }
    // A gate's command may be in a code block, which is not looked at otherwise.
    for (const { path, gates } of files) {
      for (const { command, place } of gates) {
        const [first] = command === null ? [] : findPlaceholders(`\`${command}\``);
        if (first && !told.has(`${path}:${place.line}`)) yield finding(first.text, path, place);
      }
    }
  },
};

const finding = (text: string, file: string, place: TextSpan): Finding => ({
  message: `Placeholder ${text} is not filled in.`,
  suggestion: 'Replace it with the real text.',
  file,
  place,
});

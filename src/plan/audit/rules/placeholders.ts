import type { TextSpan } from '../../grammar/plan.ts';
import { findPlaceholders } from '../placeholders.ts';
import type { Finding, Rule } from '../rule.ts';
import { phaseFiles } from '../rule.ts';

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
      for (const { text, span } of findPlaceholders(file.text)) {
        told.add(`${path}:${span.line}`);
        yield finding(text, path, span);
      }
    }
    // A gate's command may be in a code block, which is otherwise ignored.
    for (const { path, gates } of files) {
      for (const { command, span } of gates) {
        const [first] = command === null ? [] : findPlaceholders(`\`${command}\``);
        if (first && !told.has(`${path}:${span.line}`)) yield finding(first.text, path, span);
      }
    }
  },
};

const finding = (text: string, file: string, span: TextSpan): Finding => ({
  message: `Placeholder ${text} is not filled in.`,
  suggestion: 'Replace it with the real text.',
  file,
  span,
});

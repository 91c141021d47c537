import type { Rule } from '../issue.ts';
import { phaseFiles } from '../phase-files.ts';
import { findPlaceholders } from '../placeholders.ts';

export const placeholderLeft: Rule = {
  code: 'PLACEHOLDER_LEFT',
  severity: 'warning',
  summary: 'something is still to be filled in: `{…}`, `TBD`, `[Describe …]`',
  *check(plan) {
    const paths = [plan.master, ...Array.from(phaseFiles(plan), ({ file }) => file.path)];
    for (const path of new Set(paths)) {
      const file = plan.files.get(path);
      if (!file || !('text' in file)) continue;
      for (const { text, place } of findPlaceholders(file.text))
        yield { message: `${text} is not filled in yet.`, suggestion: 'Fill it in.', file: path, place };
    }
  },
};

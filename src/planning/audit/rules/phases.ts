import type { Rule } from '../issue.ts';
import { phaseFiles } from '../phase-files.ts';
import { reported } from './reported.ts';

export const phaseNotFound = reported('PHASE_NOT_FOUND', 'error', 'the file of a phase is not there');

export const phaseParseError = reported(
  'PHASE_PARSE_ERROR',
  'error',
  'the file of a phase cannot be read: no UTF-8, a folder, not allowed',
);

export const unknownStatus = reported('UNKNOWN_STATUS', 'warning', 'a word that is no status');

export const statusDisagrees = reported(
  'STATUS_DISAGREES',
  'warning',
  'a phase has one status in the table and another in its file',
);

export const tasklessPhase: Rule = {
  code: 'TASKLESS_PHASE',
  severity: 'warning',
  summary: 'a phase has no `- [ ]` item under `## Tasks`',
  *check(plan) {
    for (const { phase, file } of phaseFiles(plan)) {
      if (file.tasks.length > 0) continue;
      yield {
        message: `Phase ${phase.id} has no tasks.`,
        suggestion: 'List what is to be done under ## Tasks, each as "- [ ] …".',
        file: file.path,
        place: file.sections.tasks ?? file.place,
      };
    }
  },
};

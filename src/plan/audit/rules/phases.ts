import type { Rule } from '../issue.ts';
import { phaseFiles } from '../phase-files.ts';
import { reported } from './reported.ts';

export const phaseNotFound = reported('PHASE_NOT_FOUND', 'error', "a phase's file is missing");

export const phaseParseError = reported(
  'PHASE_PARSE_ERROR',
  'error',
  "a phase's file is not readable: not UTF-8, a folder, or no permission",
);

export const unknownStatus = reported('UNKNOWN_STATUS', 'warning', 'an unknown status');

export const statusDisagrees = reported(
  'STATUS_DISAGREES',
  'warning',
  'a phase has different statuses in the table and in its file',
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
        suggestion: 'List the work under ## Tasks, each item as "- [ ] …".',
        file: file.path,
        span: file.sections.tasks ?? file.span,
      };
    }
  },
};

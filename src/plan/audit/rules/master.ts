import { idKey } from '../../grammar/phase-id.ts';
import { namedIssues } from '../../grammar/plan.ts';
import { type Rule, reported } from '../rule.ts';

export const masterNotFound = reported('MASTER_NOT_FOUND', 'error', 'there is no master file');

export const masterParseError = reported(
  'MASTER_PARSE_ERROR',
  'error',
  'the master file is not readable: not UTF-8, a folder, or duplicated',
);

export const unreadableRow = reported(
  'UNREADABLE_ROW',
  'error',
  'a row under `## Phases` has no id or linked file, or is not in a table',
);

export const unreadableMetadata = reported(
  'UNREADABLE_METADATA',
  'warning',
  'an entry for issues, repository or Jira keys is empty or invalid',
);

export const noPhases: Rule = {
  code: 'NO_PHASES',
  severity: 'error',
  summary: 'the table under `## Phases` is missing or has no phase',
  *check({ master, phases, files, problems }) {
    if (phases.length > 0 || problems.some(({ code }) => code.startsWith('MASTER_'))) return;
    if (!files.has(master)) return;
    yield {
      message: 'The master plan has no phases defined.',
      suggestion:
        'Add a "## Phases" heading with a table below it: | Phase | Title | Focus | Risk | Status |',
      file: master,
      span: { line: 1, column: 1, length: 1 },
    };
  },
};

export const duplicatePhaseId: Rule = {
  code: 'DUPLICATE_PHASE_ID',
  severity: 'error',
  summary: 'two rows have the same id',
  *check({ master, phases }) {
    const first = new Map<string, number>();
    for (const { id, row } of phases) {
      const line = first.get(idKey(id));
      if (line === undefined) first.set(idKey(id), row.span.line);
      else
        yield {
          message: `Phase ${id} is duplicated; the first one is on line ${line}.`,
          suggestion: 'Give each phase its own id.',
          file: master,
          span: row.span,
        };
    }
  },
};

export const uncoveredIssue: Rule = {
  code: 'UNCOVERED_ISSUE',
  severity: 'error',
  summary: 'no phase covers an issue of the plan',
  *check(plan) {
    const { metadata, issuesSpan } = plan;
    const named = namedIssues(plan);
    for (const number of metadata.githubIssues) {
      if (named.has(number)) continue;
      yield {
        message: `No phase covers issue #${number}.`,
        suggestion: `Add it to the phase that covers it, below the status line: **GitHub Issues:** #${number}`,
        file: plan.master,
        span: issuesSpan ?? { line: 1, column: 1, length: 1 },
      };
    }
  },
};

import { readMarkdown } from '../../../text/markdown.ts';
import { boldFields } from '../../grammar/fields.ts';
import { readSections } from '../../grammar/sections.ts';
import { type Finding, phaseFiles, type Rule, reported } from '../rule.ts';

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

/** Agents that come with Claude Code. */
const builtin = new Set(
  'general-purpose explore plan bash statusline-setup output-style-setup claude-code-guide claude'.split(' '),
);

export const missingAgent: Rule = {
  code: 'MISSING_AGENT',
  severity: 'error',
  summary: 'a phase needs an agent that is neither built in nor defined in `.claude/agents`',
  check(plan, { agents }) {
    if (!agents) return [];
    const missing = new Map<string, Finding & { files: Set<string> }>();
    for (const { file } of phaseFiles(plan)) {
      for (const { name, required, span } of file.agents) {
        const key = name.toLowerCase();
        if (!required || builtin.has(key) || agents.has(key)) continue;
        const known = missing.get(key);
        if (known) known.files.add(file.path);
        else
          missing.set(key, {
            message: name,
            suggestion: `Define it in .claude/agents/${name}.md, or use an existing agent.`,
            file: file.path,
            span,
            files: new Set([file.path]),
          });
      }
    }
    return [...missing.values()].map(({ files, ...finding }) => ({
      ...finding,
      message: `Missing custom agent '${finding.message}', required by ${[...files].join(', ')}.`,
    }));
  },
};

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

import type { Finding, Rule } from '../issue.ts';
import { phaseFiles } from '../phase-files.ts';

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

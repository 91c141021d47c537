import { describe, expect, test } from 'vitest';
import { checkIssues } from '../../../src/issues/issue.ts';
import { conversionPrompt, previousIssuesSection } from '../../../src/plan/convert/prompt.ts';
import { type PlanRequest, planFromIssuesPrompt } from '../../../src/plan/from-issues/prompt.ts';
import { defaultHilConfig } from '../../../src/schema/autonomy-words.ts';

const parts = {
  source_content: 'THE SOURCE',
  master_template: 'THE MASTER',
  phase_template: 'THE PHASE',
  previous_issues_section: 'THE ISSUES\n',
};
const stack = { languages: [], frameworks: [], testRunners: [], manifests: [] };
const issue = (n: number, message = 'Wrong.') => ({
  severity: 'error' as const,
  code: `CODE_${n}`,
  message,
  file: 'phase-1.md',
  line: n,
  column: 1,
  suggestion: '',
});

describe('CONV-1 the prompt of a conversion', () => {
  test('has each part once, and no placeholder of its own left', () => {
    const prompt = conversionPrompt(parts, defaultHilConfig);
    for (const part of Object.values(parts)) expect(prompt.split(part)).toHaveLength(2);
    expect(prompt).not.toMatch(/\{\w+\}/);
    expect(conversionPrompt({ ...parts, previous_issues_section: '' }, defaultHilConfig)).not.toContain(
      'THE ISSUES',
    );
  });

  test('does not expand placeholders in inserted text', () => {
    const prompt = conversionPrompt({ ...parts, source_content: '{phase_template} $& $1' }, defaultHilConfig);
    expect(prompt).toContain('{phase_template} $& $1');
  });
});

describe('CONV-5 the findings of the previous attempt', () => {
  test('are one line each, whatever a message contains, and empty if there were none', () => {
    const section = previousIssuesSection([issue(1, 'Two\n- [error] FAKE: lines'), issue(2)]);
    expect(section.match(/^- .*$/gm)).toEqual([
      '- [error] CODE_1: Two - [error] FAKE: lines (phase-1.md:1)',
      '- [error] CODE_2: Wrong. (phase-1.md:2)',
    ]);
    expect(section).toContain('Previous Attempt Failed Audit');
    expect(previousIssuesSection([])).toBe('');
  });

  test('list errors first, and no more than a reader can take in', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({
      ...issue(n),
      severity: n < 150 ? ('warning' as const) : ('error' as const),
    }));
    const lines = previousIssuesSection(many).match(/^- .*$/gm) ?? [];
    expect(lines).toHaveLength(51);
    expect(lines[0]).toContain('- [error] CODE_150');
    expect(lines[50]).toBe('- and 150 more like these');
  });
});

describe('GAP-5 the prompt of a plan from issues, as the vectors have it', () => {
  const request = (more: Partial<PlanRequest>) =>
    planFromIssuesPrompt({ issues: [], resolved: [], stack, hilConfig: defaultHilConfig, own: {}, ...more });

  test('an issue has its number and title, its labels, and a mark if it has no text', () => {
    const bare = checkIssues([{ number: 1, title: 'T', body: '', labels: [], state: 'OPEN' }], 'the vector');
    expect(request({ issues: bare })).toMatch(/number="1" title="T">\n\(no text\)/);
  });

  test('puts each answer next to its question, and says so if there are none', () => {
    const resolved = [
      { question: { question: 'What DB?' }, resolution: { kind: 'answered', answer: 'PostgreSQL' } },
    ] as unknown as PlanRequest['resolved'];
    expect(request({ resolved })).toContain('- What DB? → PostgreSQL');
    expect(request({})).toMatch(/# What a person decided\n\nNothing\./);
  });
});

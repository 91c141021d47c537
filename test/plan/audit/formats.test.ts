import { describe, expect, it } from 'vitest';
import { auditPlan, rules } from '../../../src/plan/audit/audit-plan.ts';
import { auditText, githubAnnotations, sarifLog } from '../../../src/plan/audit/formats.ts';
import type { Issue } from '../../../src/plan/audit/rule.ts';
import { good, planWith } from '../grammar/plans.ts';

const locate = (file: string) => `plans/shop/${file}`;
const issue = (changes: Partial<Issue>): Issue => ({
  severity: 'error',
  code: 'MISSING_GATES',
  message: 'No gates.',
  file: 'phase-1.md',
  line: 3,
  column: 5,
  suggestion: 'Add some.',
  ...changes,
});

describe('AUD-1 the formats of an audit', () => {
  it('text shows the line with a caret below the place', () => {
    const plan = planWith(good.replace('npm test', 'true'));
    expect(auditText(auditPlan(plan), plan, locate)).toBe(`error GATE_CANNOT_FAIL  plans/shop/phase-1.md:12:11
  Gate "tests" of phase 1 cannot fail: true
  12 | - tests: \`true\`
     |           ^
  Write a command that fails until the phase is done: - name: \`command\`

Failed: 1 phase, 1 gate; 1 error, 0 warnings.`);
  });

  it('text puts the caret in the right column after tabs, wide letters and in a long line, without control characters', () => {
    const caret = (line: string) => {
      const plan = planWith(`**Status:** Pending ${line}**Depends On:** Phase 9\n${good}`);
      const shown = auditText(auditPlan(plan), plan, locate).split('\n');
      const at = shown.findIndex((text) => text.endsWith('^'));
      return [shown[at - 1], shown[at]?.indexOf('^')] as const;
    };
    expect(caret('\t|')[1]).toBe(6 + '**Status:** Pending  |**Depends On:** '.length);
    expect(caret('好😀|')[1]).toBe(6 + '**Status:** Pending xxxx|**Depends On:** '.length);
    const [long = ''] = caret(`${'x'.repeat(5000)} |`);
    expect(long.length).toBeLessThan(200);
    expect(caret('\u001b[31m|')[0]).not.toContain('\u001b');
    expect(caret('\u202e|')[0]).not.toContain('\u202e');
  });

  it('text lists more than three of a kind, one line each, with what to do about them once', () => {
    const boxes = ['{One}', '{Two}', '{Three}', '{Four}'].map((text) => `- [ ] ${text}\n`).join('');
    const plan = planWith(good.replace('npm test', 'true').replace('- [ ] Do it\n', boxes));
    const text = auditText(auditPlan(plan), plan, locate);
    expect(text).toMatch(/^error GATE_CANNOT_FAIL .*phase-1\.md:15:11$/m);
    expect(text).toMatch(
      /^warning PLACEHOLDER_LEFT {2}4 times\n(?: {2}plans\/shop\/phase-1\.md:\d+:7 {2}Placeholder \{\w+\} is not filled in\.\n){4} {2}Replace it with the real text\.\n$/m,
    );
  });

  it('github escapes what would end an annotation or start another one', () => {
    const text = githubAnnotations([issue({ file: 'a,b:c%.md', message: '100 %\r\n::error::x' })], locate);
    expect(text).toBe(
      '::error file=plans/shop/a%2Cb%3Ac%25.md,line=3,col=5,title=MISSING_GATES::100 %25%0D%0A::error::x%0AAdd some.',
    );
    expect(githubAnnotations([issue({ severity: 'warning' }), issue({})], locate).split('\n')).toHaveLength(
      2,
    );
  });

  it('sarif 2.1.0 has all rules, and each result with its rule and place', () => {
    const log = sarifLog(
      [issue({ file: 'phase 1.md', code: 'PLACEHOLDER_LEFT', severity: 'warning' })],
      locate,
      '1.0.0',
    );
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'fermata', version: '1.0.0' } } }],
    });
    const [run] = log.runs;
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(rules.map(({ code }) => code));
    const [result] = run?.results ?? [];
    expect(run?.tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe('PLACEHOLDER_LEFT');
    expect(result).toMatchObject({
      ruleId: 'PLACEHOLDER_LEFT',
      level: 'warning',
      message: { text: 'No gates. Add some.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'plans/shop/phase%201.md' },
            region: { startLine: 3, startColumn: 5 },
          },
        },
      ],
    });
  });
});

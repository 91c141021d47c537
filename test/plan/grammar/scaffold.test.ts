import { describe, expect, it } from 'vitest';
import { auditPlan } from '../../../src/plan/audit/audit-plan.ts';
import { findPlaceholders } from '../../../src/plan/audit/placeholders.ts';
import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';
import { type Scaffold, scaffoldPlan } from '../../../src/plan/templates/scaffold-plan.ts';
import { masterTemplate, phaseTemplates, templateNames } from '../../../src/plan/templates/templates.ts';

function scaffold(changes: Partial<Scaffold> = {}) {
  const files = scaffoldPlan({
    feature: 'User Auth',
    phases: 3,
    template: 'generic',
    created: '2026-01-31',
    ...changes,
  });
  return { files, plan: parsePlan(files.map(({ name, content }) => ({ path: name, text: content }))) };
}

const surroundings = {
  programs: new Set(['npm']),
  scripts: new Set(['test', 'lint']),
  agents: new Set<string>(),
};

describe('PLAN-5 a plan from a template', () => {
  it.each(templateNames)('%s passes the audit except for its placeholders, which are listed', (template) => {
    const { files, plan } = scaffold({ template });
    const { passed, issues } = auditPlan(plan, surroundings);
    expect(passed).toBe(true);
    expect([...new Set(issues.map(({ code }) => code))]).toEqual(['PLACEHOLDER_LEFT']);
    const left = files.flatMap(({ content }) => findPlaceholders(content).map(({ text }) => text));
    expect(issues.map(({ message }) => message)).toEqual(
      left.map((text) => `Placeholder ${text} is not filled in.`),
    );
    expect(left.join()).not.toMatch(/\{(?:N|N-1|Feature|Phase Title|YYYY-MM-DD)\}/);
  });

  it('has title, date, phases, dependencies and notes filled in', () => {
    const { plan } = scaffold();
    expect(plan).toMatchObject({ title: 'User Auth', metadata: { created: '2026-01-31' } });
    expect(
      plan.phases.map(({ id, title, path, dependsOn }) => [
        id,
        title,
        path,
        dependsOn.map((each) => each.id),
      ]),
    ).toEqual([
      ['1', 'User Auth, part 1', 'phase-1.md', []],
      ['2', 'User Auth, part 2', 'phase-2.md', ['1']],
      ['3', 'User Auth, part 3', 'phase-3.md', ['2']],
    ]);
    expect(plan.phases.map(({ file }) => [file?.notes.input?.path, file?.notes.output?.path])).toEqual([
      [undefined, 'notes/NOTES_phase_1.md'],
      ['notes/NOTES_phase_1.md', 'notes/NOTES_phase_2.md'],
      ['notes/NOTES_phase_2.md', 'notes/NOTES_phase_3.md'],
    ]);
  });

  it('takes gates from the project’s scripts', () => {
    const { plan } = scaffold({
      template: 'frontend',
      scripts: new Set(['test', 'typecheck', 'build']),
      phases: 1,
    });
    expect(plan.phases[0]?.file?.gates.map(({ name, command }) => `${name}: ${command}`)).toEqual([
      'tests: npm test',
      'types: npm run typecheck',
      'lint: {command that checks the style}',
      'build: npm run build',
    ]);
  });

  it.each(['A $& | `pipe` [link](x) {N} *b*', '# heading', '<b>\\'])(
    'a name such as %s stays a name',
    (feature) => {
      const { plan } = scaffold({ feature, phases: 1 });
      expect(plan.title).toBe(feature);
      expect(plan.phases).toMatchObject([{ title: `${feature}, part 1`, path: 'phase-1.md' }]);
      expect(auditPlan(plan).passed).toBe(true);
    },
  );

  it('the templates themselves have the placeholders of the seed', () => {
    expect(masterTemplate).toMatch(/^# \{Feature\} - Master Plan$/m);
    for (const template of Object.values(phaseTemplates))
      expect(template).toMatch(/^# Phase \{N\}: \{Phase Title\}$/m);
  });
});

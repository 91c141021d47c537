import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conversionPrompt } from '../../src/plan/convert/prompt.ts';
import { presets } from '../../src/schema/autonomy-words.ts';
import { ScenarioBuilder } from '../../src/testing.ts';
import { library } from '../cli/plan-from-issues/support/place.ts';
import { convert, place } from '../cli/support/convert-place.ts';
import { draft, place as draftPlace } from '../cli/support/draft-place.ts';
import { PLAN } from '../plan/convert/support/plans.ts';
import { fermata } from '../support/fermata.ts';

function put(cwd: string, path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
}

const CONVERT = '.claude/fermata/prompts/convert.md';
const OWN =
  'Our own words.\n{source_content}\nM: {master_template}\nP: {phase_template}\n{previous_issues_section}\nKeep {{braces}}.\n';

describe("SEED-10 a project's own templates", () => {
  test('convert: CONVERSION_PROMPT with its four placeholders, MASTER_TEMPLATE.md and PHASE_GENERIC.md', async () => {
    const at = place(['no plan', PLAN]);
    put(at.cwd, CONVERT, OWN);
    put(at.cwd, '.claude/fermata/templates/MASTER_TEMPLATE.md', '# {Feature} OUR MASTER\n');
    put(at.cwd, '.claude/fermata/templates/PHASE_GENERIC.md', '# Phase {N} OUR PHASE\n');
    const { code, stderr } = await convert(at);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [first = '', second = ''] = at.handle.invocations().map(({ prompt }) => prompt);
    expect(first).toMatch(
      /^Our own words\.\n# Shop\n\nBuild a shop in two steps\.\nM: # \{Feature\} OUR MASTER\nP: # Phase \{N\} OUR PHASE\n/,
    );
    expect(first).toContain('Keep {braces}.');
    expect(first).toContain('---FILE: MASTER_PLAN.md---');
    expect(second).toContain('## IMPORTANT: Previous Attempt Failed Audit');
  });

  test('draft and plan-from-issues: their tasks in the words of the project', async () => {
    const at = draftPlace(new ScenarioBuilder().respondsWithText(PLAN));
    put(at.cwd, '.claude/fermata/prompts/draft.md', 'Plan this: {idea}. Known: {decisions}\n');
    put(at.cwd, '.claude/fermata/templates/PHASE_GENERIC.md', '# Phase {N} OUR PHASE\n');
    expect((await draft(at, 'A shop')).code).toBe(0);
    const prompt = at.handle.invocations()[0]?.prompt ?? '';
    expect(prompt).toMatch(/^Plan this: A shop\. Known: Nothing\.\n/);
    expect(prompt).toContain('# Phase {N} OUR PHASE');
    expect(prompt).toContain('Do not ask questions.');
    const issues = library();
    put(issues.cwd, '.claude/fermata/prompts/plan-from-issues.md', 'Ours.\n{issues}\n');
    expect((await issues.run('--max-questions', '0')).code).toBe(0);
    expect(issues.prompts()[0]).toMatch(/^Ours\.\n<issue number="1"/);
  });

  test('an unknown placeholder is refused with its line before any agent runs; so is a missing one', async () => {
    const at = place();
    put(at.cwd, CONVERT, 'Our words.\n\nTake {sorce_content} now.\n');
    expect(await convert(at)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `fermata: ${CONVERT}, line 3: {sorce_content} is not a placeholder. Use {source_content}, {master_template}, {phase_template}, {previous_issues_section}, or write {{sorce_content}} for the text itself.\n`,
    });
    put(at.cwd, CONVERT, 'Our words.\n');
    expect((await convert(at)).stderr).toContain(`${CONVERT} lacks the placeholder {source_content}.`);
    expect(at.handle.invocations()).toEqual([]);
  });

  test('they are used only after a person has trusted them, and only the trusted version', async () => {
    const at = place();
    put(at.cwd, CONVERT, OWN);
    const env = { ...at.env, FERMATA_TRUST: undefined };
    const refused = await fermata(['convert', 'shop.md', '--agent', 'scripted'], { cwd: at.cwd, env });
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`Not trusted yet: ${CONVERT} (new)`),
    });
    expect(at.handle.invocations()).toEqual([]);
    const listed = await fermata(['trust', '--list'], { cwd: at.cwd, env });
    expect(listed.stdout).toContain('prompt:convert');
    expect(
      (await fermata(['convert', 'shop.md', '--agent', 'scripted', '--trust'], { cwd: at.cwd, env })).code,
    ).toBe(0);
    put(at.cwd, CONVERT, `${OWN}More.\n`);
    const changed = await fermata(['convert', 'shop.md', '--agent', 'scripted', '--force'], {
      cwd: at.cwd,
      env,
    });
    expect(changed).toMatchObject({ code: 3, stderr: expect.stringContaining(`${CONVERT} (changed)`) });
  });
});

test('SEED-10 the prompt of a conversion does not tell the agent to confirm what it cannot ask', () => {
  const parts = {
    source_content: 'S',
    master_template: 'M',
    phase_template: 'P',
    previous_issues_section: '',
  };
  const prompt = conversionPrompt(parts, presets.confirm_all);
  expect(prompt).toContain('Confirm all changes before proceeding');
  expect(prompt).toContain(
    'You cannot ask anybody while you write this plan. Leave what needs confirmation as it was',
  );
  expect(prompt).not.toMatch(/ask nothing|use no tools/i);
});

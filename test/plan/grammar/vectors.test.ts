import { describe, expect, it } from 'vitest';
import { slug } from '../../../src/plan/plan-folder.ts';
import masters from '../vectors/plan-master.json' with { type: 'json' };
import phases from '../vectors/plan-phase.json' with { type: 'json' };
import slugs from '../vectors/slug.json' with { type: 'json' };
import { master, phaseOf, planOf } from './plans.ts';

/** What an ancestor did, or should have done, in our words: see docs/contributors/vector-differences.md. */
describe('vectors of master files', () => {
  it.each(masters)(
    'PLAN-1 PLAN-3 $name',
    ({ text, rows, title, phases: expected, metadata, problems = [] }) => {
      const plan = planOf({ 'MASTER_PLAN.md': text ?? master(...(rows ?? [])) });
      expect(plan.title).toBe(title ?? 'Shop');
      expect(plan.phases.map(({ id, title, path, status }) => `${id} ${title} ${path} ${status}`)).toEqual(
        expected,
      );
      if (metadata) expect(plan.metadata).toEqual(metadata);
      const found = plan.problems.filter(({ code }) => code !== 'PHASE_NOT_FOUND');
      expect(found.map(({ code, span }) => `${code} ${span.line}`)).toEqual(problems);
    },
  );
});

describe('vectors of phase files', () => {
  it.each(phases)('PLAN-2 $name', (vector) => {
    const phase = phaseOf(vector.text);
    const seen = {
      id: phase.id,
      title: phase.title,
      status: phase.status?.status,
      tasks: phase.tasks.map(({ id = null, text, done }) => [id, text, done]),
      gates: phase.gates.map(({ name, command }) => [name, command]),
      dependsOn: [...new Set(phase.dependencies.map(({ id }) => id))],
      notes: [phase.notes.input?.path ?? null, phase.notes.output?.path ?? null],
      agents: phase.agents.filter(({ required }) => required).map(({ name }) => name),
      steps: phase.process.map(({ kind }) => kind),
    };
    const { name: _, text: __, ...expected } = vector;
    expect(seen).toMatchObject(expected);
  });
});

it.each(slugs)('PLAN-5 the folder of a plan named $name', ({ name, slug: expected }) => {
  expect(slug(name)).toBe(expected);
});

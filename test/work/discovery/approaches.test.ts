import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findApproaches, writeApproach } from '../../../src/work/discovery/approaches.ts';
import { designsOf, readDesignManifest } from '../../../src/work/discovery/design-manifest.ts';
import { findingsGate, planGate } from '../../../src/work/discovery/review-gates.ts';
import type { GateWait } from '../../../src/work/gates/block-gate.ts';
import { answers } from '../../ledger/support/ask.ts';
import { ann } from '../../ledger/support/people.ts';
import { freshFolder } from '../../support/fermata.ts';
import { plannedRepository, refusedAs } from '../support/plan-place.ts';
import { write } from '../support/repository.ts';

async function discovery() {
  const repository = await plannedRepository({ shop: [{ id: '1' }] });
  const around = await repository.around();
  const place = { ...around, scope: 'login' };
  const write = (agent: string, number: string, variant?: string, more: object = {}) =>
    writeApproach(place, {
      agent,
      number,
      variant,
      description: `${agent} ${number}`,
      context: 'c',
      files: 'src/a.ts,b.ts',
      questions: undefined,
      ...more,
    });
  const wait: GateWait = {
    timeoutMs: undefined,
    signal: new AbortController().signal,
    person: ann,
    schemas: '.',
    tell: () => undefined,
  };
  /** Answers the gate as soon as it is open. */
  const answering = async <T>(gate: Promise<T>, given: Record<string, string>): Promise<T> => {
    const { ledger, projectId } = place;
    for (;;) {
      const [open] = (await ledger.notifications.list({ projectId })).notifications.filter(
        ({ gate: kind }) => kind,
      );
      if (open) {
        const responses = open.questions.map(({ id }) => {
          const answer = given[id];
          return answer === undefined
            ? { questionId: id, skipped: true as const }
            : { questionId: id, answer };
        });
        await ledger.notifications.resolve(projectId, open.id, { responses }, ann);
        return gate;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { repository, place, write, wait, answering };
}

describe('CMD-5 CMD-6 approaches', () => {
  test('a number has one approach or variants, never both', async () => {
    const { place, write } = await discovery();
    await write('web', '1');
    expect(await refusedAs(write('web', '1', 'A'))).toBe('variant_conflict');
    await write('web', '2', 'a');
    await write('web', '2', 'B');
    expect(await refusedAs(write('web', '2'))).toBe('variant_conflict');
    expect(await findApproaches(place, 'web', '2')).toMatchObject({
      approaches: [{ id: '2_A' }, { id: '2_B' }],
    });
    expect(await findApproaches(place, 'web', '2', 'B')).toMatchObject({
      id: '2_B',
      variant: 'B',
      files: ['src/a.ts', 'b.ts'],
    });
    expect(await refusedAs(findApproaches(place, 'web', '3'))).toBe('not_found');
  });

  test('if two writers add both kinds at once, one of them is refused', async () => {
    const { write } = await discovery();
    const results = await Promise.allSettled([write('web', '1'), write('web', '1', 'A')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('its questions go to the inbox, once, and the answers come back with it', async () => {
    const { place, write } = await discovery();
    await write('web', '1', undefined, { questions: 'Which form? | Which list?' });
    await write('web', '1', undefined, { questions: 'Which form?|Which list?' });
    const { notifications } = await place.ledger.notifications.list({ projectId: place.projectId });
    expect(notifications).toHaveLength(1);
    const [asked] = notifications;
    await place.ledger.notifications.resolve(
      place.projectId,
      asked?.id ?? '',
      answers({ q1: 'the short one' }),
      ann,
    );
    expect(await findApproaches(place, 'web', '1')).toMatchObject({
      questions: [{ question: 'Which form?', answer: 'the short one' }, { answer: null }],
    });
  });

  test.each([
    [['../web', '1'], {}, /name of a specialist/],
    [['web', '1x'], {}, /invalid_number/],
    [['web', '0'], {}, /invalid_number/],
    [['web', '1', 'AB'], {}, /one letter/],
    [['web', '1'], { description: ' ' }, /missing_description/],
    [['web', '1'], { context: undefined }, /missing_context/],
    [['web', '1'], { files: 'a.ts,../../etc/passwd' }, /invalid_path/],
    [['web', '1'], { files: '/etc/passwd' }, /invalid_path/],
  ])('%j with %j is refused', async ([agent = '', number = '', variant], more, why) => {
    const { write } = await discovery();
    expect(await refusedAs(write(agent, number, variant, more))).toMatch(why);
  });
});

describe('CMD-10 findings and plan', () => {
  test('approaches that must change are pending; the remaining one of two variants loses its letter', async () => {
    const { place, write, wait, answering } = await discovery();
    expect(await findingsGate(place, 'login', wait)).toEqual({
      skipped: true,
      reason: 'No findings to review',
    });
    await write('web', '1', 'A');
    await write('web', '1', 'B');
    const given = { approved: 'changes', web_1_A: 'use zod', web_1_B: 'reject' };
    const result = {
      approved: false,
      has_user_required_changes: true,
      affected_approaches: [{ specialist_name: 'web', approach_id: '1' }],
      rejected_approaches: [{ specialist_name: 'web', approach_id: '1_B' }],
    };
    expect(await answering(findingsGate(place, 'login', wait), given)).toMatchObject(result);
    expect(await findApproaches(place, 'web', '1')).toMatchObject({
      approaches: [
        { id: '1', pending_refinement: 'use zod' },
        { id: '1_B', status: 'rejected' },
      ],
    });
    expect(await findingsGate(place, 'login', wait)).toMatchObject(result);
    await write('web', '1');
    expect(await findApproaches(place, 'web', '1')).toMatchObject({
      approaches: [{ id: '1' }, { id: '1_B' }],
    });
    expect(JSON.stringify(await findApproaches(place, 'web', '1'))).not.toContain('pending_refinement');
    expect(await answering(findingsGate(place, 'login', wait), { approved: 'approved' })).toMatchObject({
      approved: true,
    });
  });

  test('a plan with changes keeps the findings; an approved one archives them and stays approved', async () => {
    const { repository, place, write, wait, answering } = await discovery();
    await write('backend_1', '1');
    await write('frontend', '1');
    const plan = await repository.plan();
    expect(
      await answering(planGate(plan, 'login', wait), { approved: 'changes', changes: 'more tests' }),
    ).toMatchObject({
      has_user_required_changes: true,
      user_required_plan_changes: 'more tests',
      archived_findings: [],
    });
    expect(await planGate(plan, 'login', wait)).toMatchObject({ approved: false });
    writeFileSync(join(plan.folder, 'phase-1.md'), '# Phase 1: P1\n\n## Tasks\n- [ ] Do it, tested\n');
    const changed = await repository.plan();
    const approved = { approved: true, archived_findings: ['backend_1', 'frontend'] };
    expect(await answering(planGate(changed, 'login', wait), { approved: 'approved' })).toMatchObject(
      approved,
    );
    expect(await planGate(changed, 'login', wait)).toMatchObject({ approved: true, archived_findings: [] });
    expect(await refusedAs(findApproaches(place, 'web', '1'))).toBe('not_found');
  });
});

describe('CMD-17 the design manifest', () => {
  const folder = (manifest?: string) => {
    const plan = freshFolder('plan');
    mkdirSync(join(plan, 'design'));
    writeFileSync(join(plan, 'design/a.png'), '');
    if (manifest !== undefined) writeFileSync(join(plan, 'design/manifest.yaml'), manifest);
    return plan;
  };

  test('lists files and what they show', () => {
    expect(readDesignManifest(folder())).toEqual({ manifest: null, designs: [] });
    expect(
      readDesignManifest(folder('- file: a.png\n  description: the page\n- file: b.png\n')),
    ).toMatchObject({
      designs: [
        { file: 'a.png', description: 'the page', exists: true },
        { file: 'b.png', description: '', exists: false },
      ],
    });
  });

  test('is the plan’s, or else the project’s', async () => {
    const { around, main } = await plannedRepository({ shop: [{ id: '1' }], cart: [{ id: '1' }] });
    const of = async (plan?: string) => designsOf(await around(), plan);
    const files = (...names: string[]) => ({ designs: names.map((file) => ({ file })) });
    expect(await refusedAs(of())).toBe('several_plans');
    write(main, { 'design/manifest.yaml': '- file: p.png\n' });
    expect(await of()).toMatchObject(files('p.png'));
    expect(await of('plans/shop')).toEqual({ manifest: null, designs: [] });
    rmSync(join(main, 'plans/cart'), { recursive: true });
    expect(await of()).toMatchObject(files('p.png'));
    write(main, { 'plans/shop/design/manifest.yaml': '- file: s.png\n' });
    expect(await of()).toMatchObject(files('s.png'));
    rmSync(join(main, 'design'), { recursive: true });
    rmSync(join(main, 'plans'), { recursive: true });
    expect(await of()).toEqual({ manifest: null, designs: [] });
  });

  test.each([
    ['- file: ../../../etc/passwd', 'invalid_path'],
    ['- file: /etc/passwd', 'invalid_path'],
    ['- [', 'unreadable_manifest'],
    ['just: text', 'unreadable_manifest'],
  ])('%j is refused', async (manifest, type) => {
    expect(await refusedAs(() => readDesignManifest(folder(manifest)))).toBe(type);
  });
});

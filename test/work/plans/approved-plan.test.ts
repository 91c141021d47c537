import { describe, expect, it } from 'vitest';
import { parsePlan } from '../../../src/plan/grammar/parse-plan.ts';
import type { By } from '../../../src/schema/actor.ts';
import { requiresManualTesting } from '../../../src/work/phases/front-matter.ts';
import { findPhaseTask, phaseTasks } from '../../../src/work/phases/phase-task.ts';
import { dependencies } from '../../../src/work/phases/tasks.ts';
import { approvePlan, requireApprovedPlan } from '../../../src/work/plans/approved-plan.ts';
import { asApproved } from '../../../src/work/plans/as-approved.ts';
import { bindingPart, readBindingPart, termsText } from '../../../src/work/plans/binding-part.ts';
import { plannedRepository, refusedAs } from '../support/plan-place.ts';
import { type PhaseText, planFiles } from '../support/plan-project.ts';
import { agent, write } from '../support/repository.ts';

const ann: By = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };

const shop: PhaseText[] = [
  { id: '1' },
  { id: '2', after: 'Phase 1', front: 'requires_manual_testing: true\nvariants: [A, B]' },
  {
    id: '3',
    after: 'Phase 2',
    front: 'debug: true',
    gates: '- say: `echo "a  $b" | grep a`\n- look: by hand',
  },
];

const read = (phases: PhaseText[]) =>
  parsePlan(
    Object.entries(planFiles(phases, 'x')).map(([path, text]) => ({
      path: path.replace('plans/x/', ''),
      text,
    })),
  );

describe('the binding part of a plan', () => {
  it('BIND-7 is a readable text with each gate command verbatim', () => {
    expect(bindingPart(read(shop))).toBe(`Phase 1: P1
  gate "there" runs
    $ test -f done.txt
Phase 2: P2
  starts after 1
  is tested by a person
  has the variants A, B
  gate "there" runs
    $ test -f done.txt
Phase 3: P3
  starts after 2
  fixes a bug
  is tested by a person
  gate "say" runs
    $ echo "a  $b" | grep a
  gate "look" runs
    $ by hand
`);
  });

  it('BIND-7 reads back as it was, whatever a command or a name contains', () => {
    const terms = {
      id: '2-A',
      title: 'x: phase 3: y',
      after: ['1', '1.2'],
      needs: ['a server: on port 1, and 2'],
      testedByPerson: true,
      isFix: false,
      variants: ['A', 'B'],
      gates: [
        { name: 'x" runs', command: 'a\nPhase 9: z\n  fixes a bug\n\n    $ b' },
        { name: 'y" has no command', command: 'c' },
        { name: 'wish', command: null },
        { name: 'blank', command: '' },
      ],
    };
    expect(readBindingPart(`${termsText(terms)}${termsText({ ...terms, id: '3' })}`)).toEqual([
      terms,
      { ...terms, id: '3' },
    ]);
  });

  it('BIND-7 progress does not change it: status, boxes and prose', () => {
    const plan = parsePlan(
      Object.entries(planFiles(shop, 'x')).map(([path, text]) => ({
        path: path.replace('plans/x/', ''),
        text: `${text.replaceAll('Pending', 'Completed').replaceAll('[ ]', '[x]')}\nMore words.\n`,
      })),
    );
    expect(bindingPart(plan)).toBe(bindingPart(read(shop)));
  });

  it('BIND-7 fixes gates, order, variants and the list of phases, whatever the files say later', () => {
    const later = read([
      { id: '1', gates: '- there: `true`' },
      { id: '2', front: 'requires_manual_testing: false' },
      { id: '4' },
    ]);
    const plan = asApproved(later, bindingPart(read(shop)));
    expect(bindingPart(plan)).toBe(bindingPart(read(shop)));
    expect(phaseTasks(plan, 'x').map(({ taskId }) => taskId)).toEqual(['x/1', 'x/2-A', 'x/2-B', 'x/3']);
    expect(requiresManualTesting(findPhaseTask(plan, 'x', '2', 'A').front)).toBe(true);
    expect(dependencies(plan, 'x').get('x/3')).toEqual(['x/2-A', 'x/2-B']);
  });
});

describe('the plan on record', () => {
  it('BIND-7 is stored with its hash when a person starts, and every command reads its terms from there', async () => {
    const at = await plannedRepository({ shop });
    await requireApprovedPlan({ ...(await at.plan()), by: ann });
    const kept = await at.ledger.trust.find(at.worktreeContext.projectId, 'plan:shop');
    expect(kept).toMatchObject({ by: ann, content: bindingPart((await at.plan()).written) });
    write(at.main, planFiles([{ id: '1', gates: '- there: `true`' }, { id: '2' }, { id: '3' }], 'shop'));
    const { plan, written } = await at.plan();
    expect(bindingPart(plan)).toBe(kept?.content);
    expect(bindingPart(written)).not.toBe(kept?.content);
  });

  it('BIND-7 a plan that changed since is refused with the diff, until a person approves it', async () => {
    const at = await plannedRepository({ shop });
    await requireApprovedPlan({ ...(await at.plan()), by: ann });
    write(
      at.main,
      planFiles([shop[0] as PhaseText, { id: '2', after: 'Phase 1' }, shop[2] as PhaseText], 'shop'),
    );
    const planContext = await at.plan();
    expect(await refusedAs(requireApprovedPlan({ ...planContext, by: ann }))).toBe('plan_changed');
    await expect(requireApprovedPlan({ ...planContext, by: ann })).rejects.toThrow(
      /- {2}is tested by a person/,
    );
    await approvePlan(planContext, ann);
    expect(await refusedAs(requireApprovedPlan(await at.plan()))).toBe('accepted');
  });

  it('BIND-7 an agent does not approve a plan by starting it', async () => {
    const at = await plannedRepository({ shop });
    await requireApprovedPlan({ ...(await at.plan()), by: agent });
    expect(await at.ledger.trust.list(at.worktreeContext.projectId)).toEqual([]);
  });
});

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../../src/testing.ts';
import { longTest } from '../../support/long-test.ts';
import { commit, initRepository } from '../../work/support/repository.ts';
import { LONG, library } from '../plan-from-issues/support/place.ts';

/** Saves its prompt; does its work only when it is started again because a gate failed. */
const AGENT = `#!/bin/sh
here="$(dirname "$0")/prompts"
file="$here/$FERMATA_PHASE-$(ls "$here" | wc -l | tr -d ' ')"
cat > "$file"
if grep -q "This phase did not pass" "$file"; then echo done > "done-$FERMATA_PHASE"; fi
echo '{"status":"success","summary":"done"}'
`;

const phase = (id: string, issues: string) => `# Phase ${id}: Part ${id}

**Status:** Pending
**Depends On:** N/A
**GitHub Issues:** ${issues}

## Process Wrapper

- [ ] Write notes to: \`notes/NOTES_phase_${id}.md\`

## Gates

- check: \`test -f done-${id}\`

## Tasks

- [ ] Do it
`;

const PLAN = [
  [
    'MASTER_PLAN.md',
    `# Library - Master Plan

## Phases

| Phase | Title | Focus | Risk | Status |
|-------|-------|-------|------|--------|
| 1 | [Part 1](phase-1.md) | one | Low | Pending |
| 2 | [Part 2](phase-2.md) | two | Low | Pending |

## Assumptions

- Node 20 is there.
`,
  ],
  ['phase-1.md', phase('1', '#3, #4')],
  ['phase-2.md', phase('2', '#5')],
]
  .map(([name, text]) => `---FILE: ${name}---\n${text}---END FILE---`)
  .join('\n');

/** A repository with three of the sample issues, and an agent that saves its prompts. */
function place() {
  const at = library(new ScenarioBuilder().forEachSession().respondsWithText(PLAN));
  for (const name of readdirSync(join(at.cwd, 'issues')))
    if (!/^0[345]-/.test(name)) rmSync(join(at.cwd, 'issues', name));
  initRepository(at.cwd, 'work', true);
  const prompts = join(at.cwd, '..', 'prompts');
  mkdirSync(prompts);
  const program = join(at.cwd, '..', 'agent.sh');
  writeFileSync(program, AGENT, { mode: 0o755 });
  return {
    ...at,
    commit: () => commit(at.cwd, 'A plan'),
    carryOut: () => at.fermata('run', 'plans/issues', '--agent', 'command', '--agent-command', program),
    promptsOf: (id: string) =>
      readdirSync(prompts)
        .filter((name) => name.startsWith(`${id}-`))
        .sort()
        .map((name) => readFileSync(join(prompts, name), 'utf8')),
    decisions: async () =>
      JSON.parse((await at.fermata('decisions', '--json')).stdout).decisions as {
        id: string;
        question: string;
        answer: string;
        at: string;
        by: { actor: { name: string } };
      }[],
  };
}

describe('CLI-run and decisions made while planning', { timeout: LONG * 2 }, () => {
  test('BIND-1 every agent of a phase, the first and later ones, gets each recorded decision and the text of its issues', async () => {
    const at = place();
    const questions = at.questions();
    expect(questions.length).toBeGreaterThanOrEqual(3);
    const answers = questions.map(({ id }, index) => ({ id, answer: `We chose way ${index} of ${id}.` }));
    answers[0] = { id: questions[0]?.id ?? '', answer: 'skip' };
    writeFileSync(join(at.cwd, 'answers.json'), JSON.stringify({ answers }));
    const planned = await at.run('--answers-file', 'answers.json');
    expect(planned.code, planned.stderr).toBe(0);
    rmSync(join(at.cwd, 'issues'), { recursive: true });
    at.commit();
    const ran = await at.carryOut();
    expect(ran.code, ran.stderr).toBe(0);

    const decisions = await at.decisions();
    expect(decisions).toHaveLength(questions.length - 1);
    for (const id of ['1', '2']) {
      const prompts = at.promptsOf(id);
      expect(prompts.map((prompt) => prompt.includes('This phase did not pass'))).toEqual([false, true]);
      for (const prompt of prompts) {
        for (const { id: decision, question, answer, by, at: when } of decisions) {
          expect(prompt).toContain(`<decision id="${decision}" by="${by.actor.name}" at="${when}"`);
          expect(prompt).toContain(`Question: ${question}\nAnswer: ${answer}\n</decision>`);
        }
        expect(prompt).toContain(`Question: ${questions[0]?.question}\nAssumed: ${questions[0]?.assumed}`);
        expect(prompt).toContain('<assumption about="the plan">\nNode 20 is there.\n</assumption>');
        expect(prompt.split('Node 20 is there.')).toHaveLength(2);
      }
    }
    const [first = ''] = at.promptsOf('1');
    const [second = ''] = at.promptsOf('2');
    expect(first).toMatch(/<issue number="3" .*>\n[\s\S]*<\/issue>\n\n<issue number="4"/);
    expect(first).not.toContain('<issue number="5"');
    expect(second).toContain('<issue number="5"');
    const order = decisions.map(({ id }) => first.indexOf(`id="${id}"`));
    expect(order, 'newest first in both').toEqual(order.toSorted((a, b) => a - b));

    const read = JSON.parse((await at.fermata('plan', 'read-prompt', '1', '--plan', 'plans/issues')).stdout);
    expect(read.data.decisions.map(({ id }: { id: string }) => id).sort()).toEqual(
      decisions.map(({ id }) => id).sort(),
    );
    expect(read.data).toMatchObject({
      issues: [{ number: 3, text: expect.stringMatching(/\S/) }, { number: 4 }],
      left_out: { decisions: [], command: 'fermata plan read-decisions 1' },
    });
  });

  longTest(
    'BIND-1 the prompt has an answer given after the plan was written, and only the amended version of an amended one',
    async () => {
      const at = place();
      expect((await at.run('--max-questions', '2')).code).toBe(3);
      at.commit();
      const [late, amended] = await at.inbox();
      for (const [id, value] of [
        [late?.id, 'Only titles.'],
        [amended?.id, 'The wrong one.'],
      ])
        expect((await at.fermata('answer', id ?? '', value ?? '')).code).toBe(0);
      await at.inLedger(async ({ notifications }) => {
        const by = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'command' as const };
        const questionId = amended?.questions[0]?.id ?? '';
        const responses = [{ questionId, answer: 'The right one.' }];
        await notifications.amend(amended?.projectId ?? '', amended?.id ?? '', { responses }, by);
      });
      expect((await at.carryOut()).code).toBe(0);
      const [prompt = ''] = at.promptsOf('1');
      expect(prompt).toContain('Answer: Only titles.\n');
      expect(prompt).toContain('Answer: The right one.\n');
      expect(prompt).not.toContain('The wrong one.');
      expect(prompt).not.toContain(`${late?.questions[0]?.text}\nAssumed:`);
    },
  );
});

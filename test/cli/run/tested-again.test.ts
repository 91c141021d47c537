import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Notification } from '../../../src/schema/notification.ts';
import { fermata, startFermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { commit } from '../../work/support/repository.ts';
import { type PlanRepository, planRepository } from './support/plan-repository.ts';

const LONG = 240_000;
const front = 'requires_manual_testing: true';
const CHANGED = 'It changed after it passed its last test.';

/** Requests a test of its work with a command, and changes the work afterwards. */
const CHANGES_AFTER_TEST = `#!/bin/sh
cat > /dev/null
echo tested > a.txt
fermata plan record-implementation 1 --walkthrough done --iteration 1 > /dev/null || exit 1
fermata plan block-prompt-testing-gate 1 > /dev/null || exit 1
echo changed > a.txt
echo '{"status":"success"}'
`;

async function openGate(place: PlanRepository): Promise<Notification> {
  const [gate, ...others] = await place.inbox();
  expect(others).toEqual([]);
  expect(gate).toMatchObject({ gate: { kind: 'testing', round: 1 } });
  return gate as Notification;
}

const pass = (place: PlanRepository, { id }: Notification) =>
  fermata(['answer', id, 'passed', 'skip', 'skip', 'skip'], place.at);

longTest(
  'BIND-6 if an agent changes its work after a test, it is merged only after another test',
  async () => {
    const place = planRepository([{ id: '1', front, gate: 'date +%N > report.txt; test -f a.txt' }]);
    const program = join(place.cwd, '..', 'agent.sh');
    writeFileSync(program, CHANGES_AFTER_TEST, { mode: 0o755 });
    const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
    const run = (...more: string[]) => fermata([...args, ...more], place.at);
    const held = await run();
    expect(held.code, held.stderr).toBe(3);
    const first = await openGate(place);
    await pass(place, first);
    const resumed = await run('--resume');
    expect(resumed.code, resumed.stderr).toBe(3);
    const second = await openGate(place);
    expect(second.questions[0]?.context).toContain(CHANGED);
    expect(second.gate?.file).not.toBe(first.gate?.file);
    await pass(place, second);
    const last = await run('--resume');
    expect(last.code, last.stderr).toBe(0);
    expect(place.git('show', 'work:a.txt')).toBe('changed');
  },
  LONG,
);

/** Follows the debugging protocol, and starts again at its beginning when a person has answered. */
const DEBUGS = `#!/bin/sh
cat > /dev/null
if [ ! -f fix.js ]; then
  printf '// [DEBUG-TEMP]\\nlog();\\n\\nbroken();\\n' > fix.js
fi
if grep -q broken fix.js; then
  fermata plan block-debugging-logging-gate 1 > /dev/null || exit 1
  sed -i s/broken/fixed/ fix.js
fi
fermata plan record-implementation 1 --walkthrough fixed --iteration 1 > /dev/null || exit 1
fermata plan block-prompt-testing-gate 1 > /dev/null || exit 1
fermata plan block-prompt-variants-gate 1 > /dev/null || exit 1
fermata plan cleanup-debug-logs > /dev/null || exit 1
echo '{"status":"success"}'
`;

longTest(
  'BIND-19 DBG-1 a fix is tested once by a person, although its debug logs are removed afterwards',
  async () => {
    const place = planRepository([{ id: '1', front: 'debug: true', gate: 'grep fixed fix.js' }]);
    const program = join(place.cwd, '..', 'agent.sh');
    writeFileSync(program, DEBUGS, { mode: 0o755 });
    const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program, '--no-review'];
    const kinds: unknown[] = [];
    let last = await fermata(args, place.at);
    while (last.code === 3 && kinds.length < 5) {
      const [asked] = await place.inbox();
      kinds.push(asked?.gate?.kind);
      const answers = asked?.gate?.kind === 'testing' ? ['passed', 'skip', 'skip', 'skip'] : ['ok', 'skip'];
      await fermata(['answer', asked?.id ?? '', ...answers], place.at);
      last = await fermata([...args, '--resume'], place.at);
    }
    expect(last.code, last.stderr).toBe(0);
    expect(kinds).toEqual(['logging', 'testing']);
    expect(place.git('show', 'work:fix.js')).toBe('\nfixed();');
  },
  LONG,
);

longTest(
  'BIND-6 a commit made while a person is testing is tested again; what gate commands leave behind is not',
  async () => {
    const gate = 'date +%N > report.txt; date +%N >> a.txt; test -f a.txt';
    const steps = [{ do: 'write' as const, path: 'a.txt', content: 'a\n' }];
    const place = planRepository([{ id: '1', front, gate, steps }]);
    expect((await place.run()).code).toBe(3);
    const first = await openGate(place);
    expect((await place.run('--resume')).code).toBe(3);
    expect((await openGate(place)).id).toBe(first.id);
    const worktree = /^It is in (.*)$/m.exec(first.questions[0]?.context ?? '')?.[1] ?? '';
    commit(worktree, 'after the look', { 'a.txt': 'b\n' });
    await pass(place, first);
    expect((await place.run('--resume')).code).toBe(3);
    const second = await openGate(place);
    expect(second.questions[0]?.context).toContain(CHANGED);
    await pass(place, second);
    const last = await place.run('--resume');
    expect(last.code, last.stderr).toBe(0);
    expect(place.git('show', 'work:a.txt')).toMatch(/^b\n\d+$/);
  },
  LONG,
);

longTest(
  'GATE-1 GATE-2 a gate file filled in between two runs counts when the run is resumed; a plan named like a folder gets an unambiguous branch',
  async () => {
    const steps = [{ do: 'write' as const, path: 'a.txt', content: 'a\n' }];
    const place = planRepository([
      { id: '1', front, steps },
      { id: '2', front, dependsOn: ['1'] },
    ]);
    commit(place.cwd, 'A folder with the name of the plan', { 'shop/index.txt': 'shop\n' });
    place.git('branch', '-m', 'work', 'main');
    expect((await place.run()).code).toBe(3);
    const fillIn = async () => {
      const { gate } = await openGate(place);
      const file = gate?.file ?? '';
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^done:.*/m, 'done: true'));
    };
    await fillIn();
    const second = await place.run('--resume');
    expect(second.code, second.stderr).toBe(3);
    expect((await openGate(place)).gate?.phase).toBe('2');
    // A later run that only waits also reads the file.
    const waiting = startFermata(
      ['run', 'plans/shop', '--agent', 'scripted', '--resume', '--wait'],
      place.at,
    );
    await new Promise((resolve) => waiting.child.stderr?.once('data', resolve));
    await fillIn();
    expect(await waiting.ended).toMatchObject({ code: 0 });
    expect(place.git('log', '-1', '--format=%D', 'shop-plan')).toContain('shop-plan');
    expect(place.git('show', 'shop-plan:a.txt')).toBe('a');
    expect(place.git('for-each-ref', '--format=%(refname)', 'refs/heads/shop')).toBe('');
  },
  LONG,
);

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata, freshFolder, spawnFermata, startFermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

/** Saves its prompt, and makes a file named after its phase. */
const AGENT = `#!/bin/sh
here="$(dirname "$0")/prompts"
cat > "$here/$FERMATA_PHASE-$(ls "$here" | wc -l | tr -d ' ')"
date +%N > "made-$FERMATA_PHASE"
echo '{"status":"success","summary":"done"}'
`;

function place(gate = 'test -d .') {
  const repository = planRepository([
    { id: '1', gate },
    { id: '2', dependsOn: ['1'] },
  ]);
  const beside = (name: string) => join(repository.cwd, '..', name);
  mkdirSync(beside('prompts'));
  writeFileSync(beside('agent.sh'), AGENT, { mode: 0o755 });
  const at = (...args: string[]) => fermata(args, repository.at);
  const agent = ['--agent', 'command', '--agent-command', beside('agent.sh')];
  const run = ['run', 'plans/shop', ...agent, '--no-review'];
  return {
    ...repository,
    fermata: at,
    carryOut: () => at(...run),
    start: () => startFermata(run, repository.at),
    promptsOf: (id: string) =>
      readdirSync(beside('prompts'))
        .filter((name) => name.startsWith(`${id}-`))
        .map((name) => readFileSync(join(beside('prompts'), name), 'utf8')),
  };
}

describe('CLI-tasks and what a person says to a phase', { timeout: LONG }, () => {
  test('MSG-1 REDO-1 its agent gets it, and a reopened phase starts an agent with what was said since', async () => {
    const at = place();
    await at.carryOut();
    expect(at.promptsOf('1')).toHaveLength(1);
    expect((await at.fermata('tasks', 'reopen', 'shop/1')).code).toBe(0);
    const said = await at.fermata('tasks', 'say', 'shop/1', 'Quote', 'fields', 'with', 'commas.');
    expect(said.stdout).toContain('Queued: the next agent');
    const shown = JSON.parse((await at.fermata('plan', 'show', 'plans/shop', '--format', 'json')).stdout);
    const status = JSON.parse((await at.fermata('plan', 'status', '--plan', 'plans/shop')).stdout);
    const planned = JSON.parse(
      (await at.fermata('run', '--resume', '--dry-run', '--format', 'json', 'plans/shop')).stdout,
    );
    expect(shown.phases.map((each: { status: string }) => each.status)).toEqual(['pending', 'completed']);
    expect(status.data.phases.map((each: { status: string }) => each.status)).toEqual([
      'pending',
      'completed',
    ]);
    expect(planned.phases).toMatchObject([
      { id: '2', done: true },
      { id: '1', done: false },
    ]);
    const again = await at.carryOut();
    expect(again.code, again.stderr).toBe(0);
    const show = await at.fermata('tasks', 'show', 'shop/1', '--format', 'json');
    expect(JSON.parse(show.stdout).chat).toMatchObject([
      { text: 'Quote fields with commas.', delivery: 'read' },
    ]);
    const [, second = ''] = at.promptsOf('1');
    expect(second.split('Quote fields with commas.')).toHaveLength(2);
    expect(at.promptsOf('2')).toHaveLength(1);
  });

  test('MSG-1 what is said while a gate command runs reaches an agent before the merge', async () => {
    const beside = freshFolder();
    const at = place(`touch ${beside}/begun; until test -e ${beside}/go; do sleep 0.1; done`);
    const { child, ended } = at.start();
    child.stdin?.end();
    await expect.poll(() => existsSync(join(beside, 'begun')), { timeout: 60_000 }).toBe(true);
    await at.fermata('tasks', 'say', 'shop/1', 'Quote fields.');
    writeFileSync(join(beside, 'go'), '');
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(at.promptsOf('1')).toHaveLength(2);
    expect(at.promptsOf('1')[1]?.split('Quote fields.')).toHaveLength(2);
    expect(at.git('log', '--merges', '--format=%s', 'work').split('\n')).toHaveLength(2);
  });

  test('REDO-2 undo takes back what a phase merged and reopens it, also when it is repeated', async () => {
    const at = place();
    await at.carryOut();
    const log = () => at.git('log', '--format=%s', 'work').split('\n');
    const done = await at.fermata('tasks', 'undo', 'shop/2', '--format', 'json');
    expect(done.code, done.stderr).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ task: { status: 'open' }, builtOn: [] });
    expect(log()[0]).toBe('Revert shop/2');
    expect(existsSync(join(at.cwd, 'made-2'))).toBe(false);
    expect(existsSync(join(at.cwd, 'made-1'))).toBe(true);
    const twice = await at.fermata('tasks', 'undo', 'shop/2');
    expect(twice.stderr).toContain('there is nothing to undo');

    await at.fermata('tasks', 'say', 'shop/2', 'Now with tests.');
    const again = await at.carryOut();
    expect(again.code, again.stderr).toBe(0);
    expect(existsSync(join(at.cwd, 'made-2'))).toBe(true);
    expect(at.promptsOf('2').at(-1)).toContain('Now with tests.');
    expect((await at.fermata('tasks', 'undo', 'shop/2')).code).toBe(0);
    expect(existsSync(join(at.cwd, 'made-2'))).toBe(false);
  });

  test('REDO-2 CRASH undo that was killed before or after the revert is finished by the same command', async () => {
    const at = place();
    await at.carryOut();
    for (const point of ['undo.committed', 'undo.reverted']) {
      const env = { ...at.at.env, FERMATA_CRASH_AT: `${point}=kill` };
      await spawnFermata(['tasks', 'undo', 'shop/2'], { ...at.at, env });
    }
    const { code, stderr } = await at.fermata('tasks', 'undo', 'shop/2');
    expect(code, stderr).toBe(0);
    expect(at.git('log', '--format=%s', 'work').match(/^Revert/gm)).toHaveLength(1);
    expect(existsSync(join(at.cwd, 'made-2'))).toBe(false);
  });

  test('REDO-2 undo of what others build on, or a remote has, says so and asks', async () => {
    const at = place();
    await at.carryOut();
    at.git('update-ref', 'refs/remotes/origin/work', 'work');
    const asked = await at.fermata('tasks', 'undo', 'shop/1');
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('shop/2');
    expect(asked.stderr).toContain('origin/work');
    expect(existsSync(join(at.cwd, 'made-1'))).toBe(true);
    expect((await at.fermata('tasks', 'undo', 'shop/1', '--yes')).code).toBe(0);
    expect(existsSync(join(at.cwd, 'made-1'))).toBe(false);
    expect(existsSync(join(at.cwd, 'made-2'))).toBe(true);
  });

  longTest('REDO-2 TEAM-2 undo is pushed to the remote that the project uses', async () => {
    const at = place();
    const remote = freshFolder();
    at.git('init', '-q', '--bare', remote);
    at.git('remote', 'add', 'origin', remote);
    at.git('push', '-q', 'origin', 'work');
    at.at.env = { ...at.at.env, FERMATA_REMOTE: 'origin' };
    await at.carryOut();
    const done = await at.fermata('tasks', 'undo', 'shop/2', '--yes');
    expect(done.code, done.stderr).toBe(0);
    expect(at.git('--git-dir', remote, 'log', '-1', '--format=%s', 'work')).toBe('Revert shop/2');
    expect(existsSync(join(at.cwd, 'made-2'))).toBe(false);
    await at.carryOut();
    expect(at.git('--git-dir', remote, 'show', 'work:made-2')).not.toBe('');
  });

  test('REDO-2 undo that conflicts with later work changes nothing', async () => {
    const at = place();
    await at.carryOut();
    writeFileSync(join(at.cwd, 'made-1'), 'changed by hand');
    at.git('commit', '-qam', 'By hand');
    const refused = await at.fermata('tasks', 'undo', 'shop/1', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('made-1');
    expect(at.git('log', '-1', '--format=%s')).toBe('By hand');
    expect((await at.fermata('tasks', 'show', 'shop/1', '--format', 'json')).stdout).toContain(
      '"status":"closed"',
    );
  });

  test('MSG-3 a message to a closed phase says that nobody will read it', async () => {
    const at = place();
    await at.carryOut();
    const said = await at.fermata('tasks', 'say', 'shop/1', 'Thanks.');
    expect(said.stdout).toContain('nobody will read this');
    expect(said.stdout).toContain('fermata tasks reopen shop/1');
  });
});

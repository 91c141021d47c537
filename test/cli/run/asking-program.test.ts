import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/schema/event.ts';
import { asked } from '../../support/asked.ts';
import { fermata, startFermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

const ASKS = `#!/bin/sh
cat > /dev/null
echo started >> "$(dirname "$0")/starts"
colour=$(fermata ask "Which colour?" -o green -o blue) || exit 1
echo "$colour" > colour.txt
echo '{"status":"success"}'
`;

const DOES_NOT_WAIT = `#!/bin/sh
cat > /dev/null
echo started >> "$(dirname "$0")/starts"
fermata ask "Which colour?" -o green -o blue --timeout 1s > colour.txt || echo grey > colour.txt
echo so > "$(dirname "$0")/went-on"
echo '{"status":"success"}'
`;

/** On its first start, it dies before it can use its answer. */
const LOSES_ITS_ANSWER = `#!/bin/sh
here=$(dirname "$0")
echo started >> "$here/starts"
cat > "$here/prompt"
fermata ask "Which colour?" -o green -o blue > "$here/colour" || exit 1
if [ "$(wc -l < "$here/starts")" -eq 1 ]; then echo so > "$here/heard"; sleep 60; fi
cp "$here/colour" colour.txt
echo '{"status":"success"}'
`;

/** A plan of one phase whose agent is a program that asks as any script does. */
function askingProgram(text = ASKS) {
  const place = planRepository([{ id: '1', gate: 'test -s colour.txt' }]);
  const program = join(place.cwd, '..', 'agent.sh');
  writeFileSync(program, text, { mode: 0o755 });
  const starts = () => readFileSync(join(place.cwd, '..', 'starts'), 'utf8').split('\n').length - 1;
  return { place, starts, args: ['run', 'plans/shop', '--agent', 'command', '--agent-command', program] };
}

test(
  'RUN-1 a program that asks with "fermata ask" holds its phase, and continues in the same process',
  async () => {
    const { place, starts, args } = askingProgram();
    const running = startFermata([...args, '--wait'], place.at);
    running.child.stdin?.end();
    let told = '';
    running.child.stderr?.on('data', (chunk: string) => (told += chunk));
    const { id, sourceId } = await asked(place.at);
    expect(sourceId).toBe('shop/1');
    const { tasks } = JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout);
    expect(tasks).toMatchObject([{ id: 'shop/1', status: 'blocked', blockReason: 'Open Question' }]);
    // Only while it is open, the run says how to answer it.
    await expect.poll(() => told).toContain('The agent of shop/1 asks: Which colour?  1) green  2) blue');
    await fermata(['answer', id, 'green'], place.at);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('a person has taken it over');
    expect(starts(), stderr).toBe(1);
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('green\n');
  },
  LONG,
);

longTest(
  'RUN-2 if nobody answers, the run and its program end; the program gets the answer when it asks again',
  async () => {
    const { place, starts, args } = askingProgram();
    const first = await fermata(args, place.at);
    expect(first.code, first.stderr).toBe(3);
    const { id } = await asked(place.at);
    await fermata(['answer', id, 'blue'], place.at);
    const done = await fermata(['run', '--resume'], place.at);
    expect(done.code, done.stderr).toBe(0);
    expect(starts()).toBe(2);
    expect(await place.inbox()).toEqual([]);
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('blue\n');
  },
  LONG,
);

longTest(
  'RUN-2 a program that was killed with its run gets the answer that came meanwhile, and asks no second question',
  async () => {
    const { place, args } = askingProgram();
    const running = startFermata([...args, '--wait'], place.at);
    running.child.stdin?.end();
    const { id } = await asked(place.at);
    running.child.kill('SIGKILL');
    await running.ended;
    await fermata(['answer', id, 'blue'], place.at);
    const again = await fermata(['run', '--resume'], place.at);
    expect(again.code, again.stderr).toBe(0);
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('blue\n');
  },
  LONG,
);

longTest(
  'RUN-2 a program that does not wait for its answer is not done: it is started again with the answer',
  async () => {
    const { place, starts, args } = askingProgram(DOES_NOT_WAIT);
    const running = startFermata([...args, '--wait'], place.at);
    running.child.stdin?.end();
    const { id } = await asked(place.at);
    await expect.poll(() => existsSync(join(place.cwd, '..', 'went-on'))).toBe(true);
    await fermata(['answer', id, 'blue'], place.at);
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect(starts()).toBe(2);
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('blue\n');
  },
  LONG,
);

longTest(
  'a program killed half a second after it got its answer gets it again, and nobody is asked (BIND-3)',
  async () => {
    const { place, starts, args } = askingProgram(LOSES_ITS_ANSWER);
    const running = startFermata([...args, '--wait'], place.at);
    running.child.stdin?.end();
    const { id } = await asked(place.at);
    await fermata(['answer', id, 'blue'], place.at);
    await expect.poll(() => existsSync(join(place.cwd, '..', 'heard'))).toBe(true);
    await sleep(500);
    running.child.kill('SIGKILL');
    await running.ended;
    const again = await fermata(['run', '--resume'], place.at);
    expect(again.code, again.stderr).toBe(0);
    expect(starts()).toBe(2);
    expect(again.stderr).not.toContain('asks:');
    expect(readFileSync(join(place.cwd, '..', 'prompt'), 'utf8')).toContain(
      'Which colour?\n\nMy answers:\nblue',
    );
    expect(readFileSync(join(place.cwd, 'colour.txt'), 'utf8')).toBe('blue\n');
    const { events } = JSON.parse((await fermata(['events', '--json'], place.at)).stdout);
    const added = events.filter(({ type }: Event) => type === 'notification.added');
    expect(added).toHaveLength(1);
    expect(events).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ id, replayed: true }) }),
    );
  },
  LONG,
);

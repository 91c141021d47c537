import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata, startFermata } from '../../support/fermata.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;

/** Asks on its first start, and follows its prompt later. It ends when the test says so. */
const AGENT = `#!/bin/sh
here=$(dirname "$0")
echo started >> "$here/starts"
cat > "$here/prompt"
if [ "$(wc -l < "$here/starts")" -eq 1 ]; then
  fermata ask "Which colour?" -o green -o blue > colour.txt || exit 1
else
  sed -n -e '/^Q: Which colour/{n;s/^A: //p;}' -e '/^My answers:/{n;p;}' "$here/prompt" | tail -1 > colour.txt
fi
echo so > "$here/heard"
while [ ! -e "$here/finish" ]; do sleep 0.1; done
echo '{"status":"success"}'
`;

function colourPlan() {
  const place = planRepository([{ id: '1', gate: 'test -s colour.txt' }]);
  const beside = (name: string) => join(place.cwd, '..', name);
  writeFileSync(beside('agent.sh'), AGENT, { mode: 0o755 });
  return {
    place,
    beside,
    args: ['run', 'plans/shop', '--agent', 'command', '--agent-command', beside('agent.sh')],
    colour: () => readFileSync(join(place.cwd, 'colour.txt'), 'utf8'),
    starts: () => readFileSync(beside('starts'), 'utf8').split('\n').length - 1,
  };
}

test(
  'an answer amended while its agent works, and again after its task was closed, is applied (BIND-5)',
  async () => {
    const { place, beside, args, colour, starts } = colourPlan();
    const running = startFermata([...args, '--wait'], place.at);
    running.child.stdin?.end();
    let id = '';
    while (id === '') id = (await place.inbox())[0]?.id ?? '';
    await fermata(['answer', id, 'green'], place.at);
    await expect.poll(() => existsSync(beside('heard'))).toBe(true);

    const amended = await fermata(['amend', id, 'blue'], place.at);
    expect(amended.stdout).toContain('It gets the new one in its next turn.');
    writeFileSync(beside('finish'), '');
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    expect(starts()).toBe(2);
    expect(colour()).toBe('blue\n');
    expect(readFileSync(beside('prompt'), 'utf8')).toContain('I have changed an earlier answer.');

    const late = await fermata(['amend', id, 'green'], place.at);
    expect(late.stdout).toContain(
      'To rework it with the new one: fermata tasks reopen shop/1, then fermata run',
    );
    rmSync(beside('heard'));
    expect((await fermata(['tasks', 'reopen', 'shop/1'], place.at)).code).toBe(0);
    const again = await fermata(args, place.at);
    expect(again.code, again.stderr).toBe(0);
    expect(starts()).toBe(3);
    expect(colour()).toBe('green\n');
    expect(readFileSync(beside('prompt'), 'utf8')).toContain('It used to be: blue');
  },
  LONG,
);

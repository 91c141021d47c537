import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata, startFermata } from '../../support/fermata.ts';
import { planRepository } from './support/plan-repository.ts';

/** Ends with the same question in every start but the second, which is killed, and the last. */
const ASKS_AT_ITS_END = `#!/bin/sh
cat > /dev/null
here=$(dirname "$0")
echo started >> "$here/starts"
case $(wc -l < "$here/starts") in
  2) echo so > "$here/second"; sleep 60 ;;
  5) echo done > font.txt; echo '{"status":"success"}' ;;
  *) echo '{"status":"success","open_questions":["Which font?"]}' ;;
esac
`;

test('BIND-3 questions in a result are not asked again after a crash, unless the next agent has the answer and still asks', async () => {
  const place = planRepository([{ id: '1', gate: 'test -f font.txt' }]);
  const program = join(place.cwd, '..', 'agent.sh');
  writeFileSync(program, ASKS_AT_ITS_END, { mode: 0o755 });
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', program];
  const first = await fermata(args, place.at);
  expect(first.code, first.stderr).toBe(3);
  const [asked] = await place.inbox();
  await fermata(['answer', asked?.id ?? '', 'Serif'], place.at);
  const killed = startFermata([...args, '--resume'], place.at);
  await expect.poll(() => existsSync(join(place.cwd, '..', 'second'))).toBe(true);
  killed.child.kill('SIGKILL');
  await killed.ended;

  const again = await fermata([...args, '--resume'], place.at);
  expect(again.code, again.stderr).toBe(3);
  const [second, ...more] = await place.inbox();
  expect(more).toEqual([]);
  expect(second?.id).not.toBe(asked?.id);
  expect(
    again.stderr.match(/command resumes|command starts|command tries again/g),
    again.stderr,
  ).toHaveLength(2);
  await fermata(['answer', second?.id ?? '', 'Mono'], place.at);
  const done = await fermata([...args, '--resume'], place.at);
  expect(done.code, done.stderr).toBe(0);
}, 240_000);

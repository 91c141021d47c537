import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/ledger.ts';
import { planRepository } from '../cli/run/support/plan-repository.ts';
import { ann, coder } from '../ledger/support/people.ts';
import { fermata } from '../support/fermata.ts';

const TOKEN = 'tok-4711';

/** Ends with a question the first time; then it searches everything that it gets or can read. */
const AGENT = `#!/bin/sh
here=$(dirname "$0")
cat > "$here/prompt"
if [ ! -e "$here/asked" ]; then
  touch "$here/asked"
  echo '{"status":"success","open_questions":["Which font?"]}'
  exit
fi
for command in 'plan read-prompt 1' 'plan read-decisions 1' 'decisions list' 'tasks show shop/1'; do
  fermata $command --format json >> "$here/read" || exit 1
done
echo done > font.txt
echo '{"status":"success"}'
`;

test('HEAR-4 an agent that is started later does not get what a person filled into the form of an MCP server', async () => {
  const place = planRepository([{ id: '1', gate: 'test -f font.txt' }]);
  const beside = (name: string) => join(place.cwd, '..', name);
  writeFileSync(beside('agent.sh'), AGENT, { mode: 0o755 });
  const args = ['run', 'plans/shop', '--agent', 'command', '--agent-command', beside('agent.sh')];
  expect((await fermata(args, place.at)).code).toBe(3);
  const [asked] = await place.inbox();
  if (!asked) return expect.unreachable();
  const { projectId } = asked;
  const ledger = await openLedger(join(place.at.env?.FERMATA_HOME ?? '', 'ledger.db'));
  const { notification: form } = await ledger.notifications.create(
    {
      projectId,
      source: 'execute',
      sourceId: 'shop/1',
      questions: [{ id: 'token', text: 'Token of the server?' }],
      resume: { agent: 'claude', run: asked.resume?.run, toolCallId: 'r1', elicitation: true },
    },
    coder,
  );
  const responses = [{ questionId: 'token', answer: TOKEN }];
  await ledger.notifications.resolve(projectId, form.id, { responses }, ann);
  await ledger.notifications.markDelivered(projectId, form.id, coder);
  await ledger.close();
  await fermata(['answer', asked.id, 'Serif'], place.at);

  const again = await fermata([...args, '--resume'], place.at);
  expect(again.code, again.stderr).toBe(0);
  for (const name of ['prompt', 'read']) {
    const told = readFileSync(beside(name), 'utf8');
    expect(told, name).toContain('Serif');
    expect(told, name).not.toContain(TOKEN);
  }
}, 240_000);

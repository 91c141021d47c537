import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/index.ts';
import { variantQuestions } from '../../src/work/gates/gate-questions.ts';
import { freshFolder } from '../support/fermata.ts';
import { inTerminal } from '../support/pty.ts';

test('CHAN-1 VAR-1 two main variants are not sent: the person keeps what they typed and changes one answer', async () => {
  const cwd = freshFolder();
  const env = { FERMATA_HOME: join(cwd, '..', 'home') };
  const ledger = await openLedger(join(env.FERMATA_HOME, 'ledger.db'));
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const { notification } = await ledger.notifications.create(
    {
      projectId: 'p',
      source: 'gate',
      sourceId: 'shop/1',
      questions: variantQuestions('phase 1', ['A', 'B'], false),
      gate: { kind: 'variants', plan: 'shop', phase: '1', round: 0, file: join(cwd, 'gate.yaml') },
    },
    { actor: { kind: 'agent', name: 'a' }, channel: 'agent' },
  );
  const terminal = inTerminal(['answer', notification.id], { cwd, env });
  for (const said of ['main', 'main', 'I tried both', 'B is shorter']) {
    await terminal.shows(/› /);
    terminal.type(`${said}\r`);
  }
  await terminal.shows(/Your answers[\s\S]*Enter to send.*› /);
  terminal.type('\r');
  await terminal.shows(/A and B are both main: exactly one of A, B must be main\./);
  await terminal.shows(/→ main[\s\S]*→ main[\s\S]*→ I tried both[\s\S]*Enter to send.*› /);
  terminal.type('1\r');
  await terminal.shows(/variant A of phase 1[\s\S]*› /);
  terminal.type('discard\r');
  await terminal.shows(/Enter to send.*› /);
  terminal.type('\r');
  expect(await terminal.ended).toBe(0);
  const { responses } = await ledger.notifications.get('p', notification.id);
  await ledger.close();
  expect(responses.map((each) => each.kind === 'answered' && each.answer)).toEqual([
    'discard',
    'main',
    'I tried both',
    'B is shorter',
  ]);
});

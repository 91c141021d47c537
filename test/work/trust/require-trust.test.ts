import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Report } from '../../../src/work/report.ts';
import { requireTrust } from '../../../src/work/trust/require-trust.ts';

const ann: By = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };
const project = { id: 'p', name: 'p', root: null };
const contents = ['a.yaml', 'b.yaml'].map((shownAs) => ({
  name: `protocol:${shownAs}`,
  shownAs,
  effect: 'Agents follow its steps.',
  content: 'steps: []\n',
}));

test('BIND-12 after a yes and a no, the command says what is trusted before it refuses the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-trust-'));
  const ledger = await openLedger(join(folder, 'ledger.db'), {});
  onTestFinished(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  });
  const reports: Report[] = [];
  const now = async (asked: Notification[]) => {
    for (const [index, { id }] of asked.entries())
      await ledger.notifications.resolve('p', id, { approved: index === 0 }, ann);
  };
  const context = { ledger, env: {}, who: ann, ask: { now }, report: (event: Report) => reports.push(event) };
  await expect(requireTrust(context, project, contents)).rejects.toThrow('ann does not trust b.yaml.');
  expect(reports).toEqual([{ kind: 'trusted', files: ['a.yaml (new)'] }]);
});

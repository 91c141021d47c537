import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { exportLines } from '../../../../src/ledger/care/export-lines.ts';
import type { Store } from '../../../../src/ledger/engine/store.ts';
import { ledgerOn, openStore } from '../../../../src/ledger/ledger.ts';
import { answers, ask, askFor } from '../../support/ask.ts';
import { ann, coder } from '../../support/people.ts';

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-care-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

/** A store that is closed after the test. */
export async function openedStore(place: string): Promise<Store> {
  const store = await openStore(place);
  onTestFinished(() => store.close());
  return store;
}

/** Puts something into most tables: questions in several states, a decision, tasks that wait for each other, a run. */
export async function fill(store: Store): Promise<void> {
  const ledger = ledgerOn(store, {});
  await ledger.projects.ensure({ id: 'p', name: 'p', root: null });
  const { id } = await ask(ledger, 'p');
  await ledger.notifications.resolve('p', id, answers({ q1: 'größer, "PostgreSQL"\n' }), ann);
  await ledger.notifications.markDelivered('p', id, ann);
  for (const task of ['a', 'b', 'c']) await ledger.tasks.add({ projectId: 'p', id: task, title: task }, ann);
  await ledger.tasks.depend('p', 'b', ['a'], ann);
  await askFor(ledger, 'p', 'c', { questions: ['Which colour?'] });
  await ledger.tasks.say('p', 'a', 'Be quick.', ann);
  await ledger.runs.start(
    {
      projectId: 'p',
      agent: 'claude',
      source: 'plan',
      sourceId: 'x',
      cwd: '/w',
      data: { for: 'agent', prompt: 'Go.' },
    },
    { worker: 'here:1', leaseSeconds: 60 },
    coder,
  );
  await ledger.credentials.makeToken({ name: 'ci', role: 'human' });
  await ledger.notices.addSink('desktop');
}

export async function exported(store: Store): Promise<string> {
  const lines: string[] = [];
  await exportLines(store, async (more) => void lines.push(...more));
  return lines.map((line) => `${line}\n`).join('');
}

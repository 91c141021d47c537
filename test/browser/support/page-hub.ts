import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HubOptions } from '../../../src/hub/hub.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { By } from '../../../src/schema/actor.ts';
import type { CreateInput, Notification } from '../../../src/schema/notification.ts';
import { type TestHub, testHub } from '../../hub/support/hub.ts';

/** The built page. */
export const WEB = join(import.meta.dirname, '../../../dist/web');

export const ann: By = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };
export const coder: By = { actor: { kind: 'agent', name: 'coder' }, channel: 'agent' };

export interface PageHub extends TestHub {
  ledger: Ledger;
  project: string;
  /** The folder of the project. */
  root: string;
  ask(input: Partial<CreateInput> & Pick<CreateInput, 'questions'>, by?: By): Promise<Notification>;
}

/** A hub with the built page and one project, in a fresh place. */
export async function pageHub(options: Partial<HubOptions> = {}): Promise<PageHub> {
  const root = mkdtempSync(join(tmpdir(), 'fermata-page-'));
  const ledger = await openLedger(join(root, 'ledger.db'));
  onTestFinished(async () => {
    await ledger.close();
    rmSync(root, { recursive: true, force: true });
  });
  const { id: project } = await ledger.projects.ensure({ id: 'p-library', name: 'library', root });
  const hub = await testHub(ledger, { web: WEB, ...options });
  return {
    ...hub,
    ...{ ledger, project, root },
    async ask(input, by = coder) {
      const asked = { projectId: project, source: 'execute' as const, sourceId: 'task-1', ...input };
      return (await ledger.notifications.create(asked, by)).notification;
    },
  };
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { taskFolder, writeTaskConfig } from '../../../src/agents/roles/task-config.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { defaultHilConfig } from '../../../src/schema/autonomy-words.ts';
import { enforceAutonomy } from '../../../src/work/autonomy/enforce-autonomy.ts';
import { readyIds } from '../../ledger/support/ask.ts';
import { ann, coder } from '../../ledger/support/people.ts';
import { eachStore } from '../../ledger/support/stores.ts';
import { freshPlace } from '../support/repository.ts';

const none = { dependency: [] };
const lodash = { dependency: ['package.json adds lodash 4'] };
const wider = {
  dependency: [],
  steering: { words: ['phase 2 added: More'], diff: '+| 2 | More |', hash: 'a'.repeat(64) },
};

async function task(ledger: Ledger, projectId: string) {
  await ledger.tasks.add({ projectId, id: 'T1', title: 'Work' }, ann);
  const { fence } = await ledger.tasks.claim(projectId, 'T1', { worker: 'w', leaseSeconds: 60 }, coder);
  return { projectId, taskId: 'T1', fence, by: coder };
}

describe('what a task may change', () => {
  eachStore((store) => {
    it('LED-10 requires_approval opens an approval that blocks, once for the same changes', async () => {
      const { ledger, project } = await store.start();
      const work = await task(ledger, project);
      expect(await enforceAutonomy(ledger, { ...work, changes: none })).toEqual({ kind: 'proceed' });
      const result = await enforceAutonomy(ledger, { ...work, changes: wider });
      expect(result).toMatchObject({
        kind: 'waiting',
        notification: { source: 'approval', sourceId: 'T1', questions: [{ category: 'scope' }] },
      });
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ status: 'blocked', assignee: null });
      const again = await enforceAutonomy(ledger, { ...work, changes: wider });
      if (result.kind !== 'waiting' || again.kind !== 'waiting') return expect.unreachable();
      expect(again.notification.id).toBe(result.notification.id);
      await ledger.notifications.resolve(project, result.notification.id, { approved: true }, ann);
      expect(await readyIds(ledger, project)).toEqual(['T1']);
      expect(await enforceAutonomy(ledger, { ...work, changes: wider })).toMatchObject({
        kind: 'proceed',
        approvedBy: ann,
      });
      const more = { ...wider, steering: { ...wider.steering, hash: 'b'.repeat(64) } };
      expect((await enforceAutonomy(ledger, { ...work, changes: more })).kind).toBe('waiting');
    });

    it('LED-10 a rejected change stays rejected, and the task continues with the reason in its chat', async () => {
      const { ledger, project } = await store.start();
      const work = await task(ledger, project);
      const result = await enforceAutonomy(ledger, { ...work, changes: wider });
      if (result.kind !== 'waiting') return expect.unreachable();
      await ledger.notifications.resolve(
        project,
        result.notification.id,
        { approved: false, comment: 'Not now' },
        ann,
      );
      expect((await enforceAutonomy(ledger, { ...work, changes: wider })).kind).toBe('rejected');
      expect(await readyIds(ledger, project)).toEqual(['T1']);
      expect((await ledger.tasks.chat(project, 'T1')).at(-1)?.text).toContain('Reject\nNot now');
    });

    it('LED-10 notify_and_proceed leaves one notice, automated none', async () => {
      const { ledger, project } = await store.start();
      const work = await task(ledger, project);
      const notices = async () =>
        (await ledger.notifications.list({ projectId: project, status: ['recorded'] })).notifications;
      expect(await enforceAutonomy(ledger, { ...work, changes: lodash })).toEqual({ kind: 'proceed' });
      expect(await enforceAutonomy(ledger, { ...work, changes: lodash })).toEqual({ kind: 'proceed' });
      expect(await notices()).toMatchObject([
        { questions: [{ verbatim: [{ text: expect.stringContaining('adds lodash 4') }] }] },
      ]);
      expect((await ledger.tasks.get(project, 'T1')).status).toBe('in_progress');
      await ledger.projects.setHilConfig(project, 'full', ann);
      expect(await enforceAutonomy(ledger, { ...work, changes: lodash })).toEqual({ kind: 'proceed' });
      expect(await notices()).toHaveLength(1);
    });

    it("BIND-7 steering files wait for a person whatever the project's level; only the person's own configuration lowers that", async () => {
      const { ledger, project } = await store.start();
      const work = await task(ledger, project);
      await ledger.projects.setHilConfig(project, 'full', ann);
      const home = freshPlace();
      vi.stubEnv('FERMATA_HOME', home);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(await enforceAutonomy(ledger, { ...work, changes: wider })).toMatchObject({ kind: 'waiting' });
      writeFileSync(join(home, 'config.json'), '{"steeringChanges":"automated"}');
      expect(await enforceAutonomy(ledger, { ...work, changes: wider })).toEqual({ kind: 'proceed' });
    });

    it('BIND-7 a yes to another diff, or to the same name with other content, is not a yes to this one', async () => {
      const { ledger, project } = await store.start();
      const work = await task(ledger, project);
      const forged = {
        id: `steering-${wider.steering.hash}`,
        text: 'Merge task T1? It changes files that run programs or steer agents.',
        verbatim: [{ label: 'diff', text: '+ a typo' }],
      };
      const asked = { projectId: project, source: 'approval' as const, sourceId: 'T1', questions: [forged] };
      const { notification } = await ledger.notifications.create(asked, coder);
      await ledger.notifications.resolve(project, notification.id, { approved: true }, ann);
      expect(await enforceAutonomy(ledger, { ...work, changes: wider })).toMatchObject({ kind: 'waiting' });
    });

    it('LED-10 an old claim cannot ask', async () => {
      const { ledger, project } = await store.start();
      const work = await task(ledger, project);
      await expect(enforceAutonomy(ledger, { ...work, fence: 0, changes: wider })).rejects.toMatchObject({
        code: 'stale',
      });
    });
  });
});

describe('the folder of a task', () => {
  it('LED-10 has config.json with the levels and the sentences, word for word', () => {
    const task = { id: 'plan/1', title: 'Start' };
    expect(JSON.parse(readFileSync(writeTaskConfig(freshPlace(), task, defaultHilConfig), 'utf8'))).toEqual({
      taskId: 'plan/1',
      title: 'Start',
      hilConfig: defaultHilConfig,
      autonomy: {
        scopeChanges: 'Confirm all changes before proceeding',
        architectureDecisions: 'Confirm all changes before proceeding',
        dependencyModifications: 'Notify user but proceed',
      },
    });
  });

  it('LED-10 is in the home folder, whatever the id says, and differs for each', () => {
    const folders = ['a/../../../etc', 'a-etc', 'a:etc', 'a/etc'].map((id) => taskFolder('/storage', id));
    expect(new Set(folders).size).toBe(4);
    for (const folder of folders) expect(folder).toMatch(/^\/storage\/tasks\/[\w-]+$/);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { freshFolder } from '../../support/fermata.ts';
import { startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  it('projects are listed, and a folder can be added as one (HUB-1)', async () => {
    const { hub } = await startHubOn(store);
    const root = freshFolder(randomUUID());
    const made = await hub.call('POST', '/projects', { root });
    expect(made).toMatchObject({ status: 201, body: { data: { id: expect.stringMatching(/^p-/) } } });
    expect((await hub.call('POST', '/projects', { root })).status).toBe(200);
    expect((await hub.get('/projects')).body.data).toContainEqual({ ...made.body.data, lastEventAt: null });
    expect((await hub.get(`/projects/${made.body.data.id}`)).body.data).toEqual(made.body.data);
    writeFileSync(join(root, 'file'), '');
    for (const wrong of [
      'relative',
      join(root, 'missing'),
      join(root, 'file'),
      join(root, 'file/below'),
      '/\0',
    ]) {
      expect((await hub.call('POST', '/projects', { root: wrong })).status).toBe(400);
    }
  });

  it("a project's plans are listed and shown with what the audit finds; no name points outside the folder (HUB-1, HUB-3)", async () => {
    const { hub } = await startHubOn(store);
    const root = freshFolder(randomUUID());
    mkdirSync(join(root, 'plans/login'), { recursive: true });
    writeFileSync(
      join(root, 'plans/login/MASTER_PLAN.md'),
      '# Log-in\n\n| Phase | Title | Status |\n|---|---|---|\n| 1 | [Form](phase-1.md) | Completed |\n',
    );
    mkdirSync(join(root, 'secret'));
    writeFileSync(join(root, 'secret/MASTER_PLAN.md'), '# Secret\n');
    symlinkSync(join(root, 'secret'), join(root, 'plans/link'));
    const { id } = (await hub.call('POST', '/projects', { root })).body.data;
    expect((await hub.get(`/projects/${id}/plans`)).body.data).toMatchObject([
      { name: 'login', title: 'Log-in' },
    ]);
    expect((await hub.get(`/projects/${id}/plans/login`)).body.data).toMatchObject({
      title: 'Log-in',
      audit: {
        passed: false,
        issues: expect.arrayContaining([expect.objectContaining({ severity: 'error' })]),
      },
      files: { 'MASTER_PLAN.md': expect.stringContaining('# Log-in') },
    });
    for (const name of ['link', '..%2Fsecret', '%2e%2e', 'login%2F..%2F..%2Fsecret', 'nope']) {
      expect((await hub.get(`/projects/${id}/plans/${name}`)).status, name).toBe(404);
    }
  });
});

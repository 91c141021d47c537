import { expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { startHubOn } from '../support/start.ts';

eachStoreInLong((store) => {
  it('settings are read and changed; unknown names and values are refused (HUB-1, LED-10)', async () => {
    const { hub, at } = await startHubOn(store);
    expect((await hub.get(`${at}/settings`)).body.data.hilConfig.scopeChanges).toBe('requires_approval');
    const full = await hub.call('PATCH', `${at}/settings`, { hilConfig: 'full' });
    expect(full.body.data.hilConfig).toEqual({
      scopeChanges: 'automated',
      architectureDecisions: 'automated',
      dependencyModifications: 'automated',
    });
    const one = await hub.call('PATCH', `${at}/settings`, {
      hilConfig: { scopeChanges: 'notify_and_proceed' },
    });
    expect(one.body.data.hilConfig).toMatchObject({
      scopeChanges: 'notify_and_proceed',
      architectureDecisions: 'automated',
    });
    for (const [hilConfig, told] of [
      [{ scopeChanges: 'never' }, /hilConfig\.scopeChanges.*notify_and_proceed/],
      [{ nope: 'automated' }, /nope/],
      ['most', /hilConfig.*major_only/],
      [null, /hilConfig/],
    ]) {
      const { status, body } = await hub.call('PATCH', `${at}/settings`, { hilConfig });
      expect(status).toBe(400);
      expect(body.error.message).toMatch(told as RegExp);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { history, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const config = { name: 'config', content: '{"hilConfig":"full"}' };
const plan = { name: 'plan:login', content: 'gates: npm test' };

describe('the trust register', () => {
  eachStore((store) => {
    it('BIND-12 remembers what a person accepted, who and when, even after a restart', async () => {
      const { ledger, project } = await store.start();
      await ledger.trust.accept(project, [plan, config], ann);
      const later = await store.open();
      expect(await later.trust.list(project)).toMatchObject([
        { ...config, by: ann },
        { ...plan, by: ann },
      ]);
      expect((await later.trust.find(project, 'config'))?.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await later.trust.find('p-other', 'config')).toBeUndefined();
    });

    it('BIND-12 new content replaces the old one; accepting the same again changes nothing', async () => {
      const { ledger, project } = await store.start();
      await ledger.trust.accept(project, [config], ann);
      const events = (await history(ledger, project)).length;
      await ledger.trust.accept(project, [config], bob);
      expect(await history(ledger, project)).toHaveLength(events);
      expect((await ledger.trust.find(project, 'config'))?.by).toEqual(ann);
      await ledger.trust.accept(project, [{ name: 'config', content: '{}' }], bob);
      expect(await ledger.trust.find(project, 'config')).toMatchObject({ content: '{}', by: bob });
    });

    it('BIND-12 an agent can neither accept nor revoke', async () => {
      const { ledger, project } = await store.start();
      await ledger.trust.accept(project, [config], ann);
      expect(await refusal(ledger.trust.accept(project, [plan], coder))).toMatchObject({ code: 'forbidden' });
      expect(await refusal(ledger.trust.revoke(project, 'config', coder))).toMatchObject({
        code: 'forbidden',
      });
      expect(await ledger.trust.list(project)).toHaveLength(1);
    });

    it('BIND-12 revoked content is gone', async () => {
      const { ledger, project } = await store.start();
      await ledger.trust.accept(project, [config], ann);
      expect(await ledger.trust.revoke(project, 'config', ann)).toBe(true);
      expect(await ledger.trust.revoke(project, 'config', ann)).toBe(false);
      expect(await ledger.trust.find(project, 'config')).toBeUndefined();
    });
  });
});

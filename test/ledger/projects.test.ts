import { describe, expect, it } from 'vitest';
import { refusal } from './support/ask.ts';
import { eachStore } from './support/stores.ts';

describe('the register of projects', () => {
  eachStore((store) => {
    it('LED-1 a project is registered once, even by 20 callers at once, and keeps its first name', async () => {
      const ledgers = [await store.open(), await store.open()];
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          ledgers[n % 2]?.projects.ensure({ id: 'acme/app', name: `name ${n}`, root: '/srv/app' }),
        ),
      );
      expect(new Set(made.map((p) => p?.name)).size).toBe(1);
      expect(made[0]).toMatchObject({ id: 'acme/app', root: '/srv/app', hilConfig: null, lastEvent: 0 });
      expect((await ledgers[0]?.projects.list())?.filter((p) => p.id === 'acme/app')).toHaveLength(1);
    });

    it('LED-4 an unknown project is not found', async () => {
      const ledger = await store.open();
      expect(await ledger.projects.find('nowhere')).toBeUndefined();
      expect(await refusal(ledger.projects.get('nowhere'))).toMatchObject({ code: 'not_found' });
      expect(await refusal(ledger.projects.hilConfig('nowhere'))).toMatchObject({ code: 'not_found' });
      const by = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'web' as const };
      expect(await refusal(ledger.projects.setHilConfig('nowhere', 'full', by))).toMatchObject({
        code: 'not_found',
      });
    });
  });
});

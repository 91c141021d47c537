import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { handOver } from '../../src/ledger/tasks/hand-over.ts';
import { answers, ask } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('an answer is delivered to the asker', () => {
  eachStore((store) => {
    const answered = async (ledger: Ledger, project: string) => {
      const { id } = await ask(ledger, project);
      return (await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann)).notification;
    };
    const statusOf = async (ledger: Ledger, project: string, id: string) =>
      (await ledger.notifications.get(project, id)).status;

    it('LED-3 LED-5 it is marked as delivered after the asker has it, not before', async () => {
      const { ledger, project } = await store.start();
      const notification = await answered(ledger, project);
      const seen: string[] = [];
      await handOver(
        ledger,
        notification,
        async (given) => seen.push(given.id, await statusOf(ledger, project, given.id)),
        coder,
      );
      expect(seen).toEqual([notification.id, 'answered']);
      expect(await statusOf(ledger, project, notification.id)).toBe('delivered');
      expect(await ledger.notifications.undelivered(project, 'plan', 'plan-1')).toEqual([]);
    });

    it('LED-5 it is delivered again if the asker was gone, or failed to receive it', async () => {
      const { ledger, project } = await store.start();
      const notification = await answered(ledger, project);
      await handOver(ledger, notification, async () => false, coder);
      const failing = handOver(ledger, notification, () => Promise.reject(new Error('EPIPE')), coder);
      await expect(failing).rejects.toThrow('EPIPE');
      expect(await ledger.notifications.undelivered(project, 'plan', 'plan-1')).toMatchObject([
        { id: notification.id },
      ]);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { ask, history } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const KEY = `ghp_${'a'.repeat(36)}`;
const MARK = '[redacted]';

describe('a secret in what agents say about their work', () => {
  eachStore((store) => {
    it('LED-7 is in no task, no chat, no reason and no event', async () => {
      const { ledger, project } = await store.start();
      const title = `Rotate ${KEY}`;
      await ledger.tasks.add({ projectId: project, id: 'T1', title, body: `with ${KEY}` }, coder);
      await ledger.tasks.say(project, 'T1', `I used ${KEY}`, coder);
      await ledger.tasks.block(project, 'T1', `Failed with ${KEY}`, coder);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({
        title: `Rotate ${MARK}`,
        body: `with ${MARK}`,
        blockReason: `Failed with ${MARK}`,
      });
      expect(await ledger.tasks.chat(project, 'T1')).toMatchObject([{ text: `I used ${MARK}` }]);
      expect(JSON.stringify(await history(ledger, project))).not.toContain(KEY);
    });

    it('ROLE-2 is in nothing that results from feedback', async () => {
      const { ledger, project } = await store.start();
      const work = { kind: 'feedback' as const, input: { text: `It prints ${KEY}` } };
      const begun = await ledger.tasks.submit({ projectId: project, title: `Evaluate ${KEY}` }, work, ann);
      expect([begun.input.text, begun.title]).toEqual([`It prints ${MARK}`, `Evaluate ${MARK}`]);
      const proposed = [{ title: `Hide ${KEY}` }];
      await ledger.tasks.finish(begun, { category: KEY, summary: KEY }, coder, proposed);
      expect(await ledger.tasks.work(project, begun.id, 'feedback')).toMatchObject({
        result: { category: MARK, summary: MARK },
      });
      expect(JSON.stringify(await history(ledger, project))).not.toContain(KEY);
    });

    it('is in no record of a phase, and the same walkthrough again is still the same', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Rotate' }, ann);
      const data = { type: 'initial' as const, walkthrough: `I used ${KEY}`, reason: `leaked ${KEY}` };
      const append = () =>
        ledger.phases.append(project, 'T1', coder, (records, clean) =>
          records.some(
            (each) => each.kind === 'implementation' && each.data.walkthrough === clean(data.walkthrough),
          )
            ? undefined
            : { kind: 'implementation', iteration: 1, data },
        );
      expect(await append()).toMatchObject({ data: { walkthrough: `I used ${MARK}` } });
      expect(await append()).toBeUndefined();
      expect(await ledger.phases.list(project, 'T1')).toMatchObject([{ data: { reason: `leaked ${MARK}` } }]);
      expect(JSON.stringify(await history(ledger, project))).not.toContain(KEY);
    });

    it('LED-13 is not in the reason for withdrawing a question', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const { notification } = await ledger.notifications.withdraw(project, id, `found ${KEY}`, coder);
      expect(notification.reason).toBe(`found ${MARK}`);
    });
  });
});

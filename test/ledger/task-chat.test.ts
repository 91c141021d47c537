import { describe, expect, it } from 'vitest';
import { limits } from '../../src/schema/limits.ts';
import { history, refusal } from './support/ask.ts';
import { ann, bob } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe("a task's chat", () => {
  eachStore((store) => {
    it('LED-7 keeps what was said, in order, with who said it', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      await ledger.tasks.say(project, 'T1', 'How far are you?', ann);
      await ledger.tasks.say(project, 'T1', 'Half way: 50 % “done” \u{1F642}', bob);
      expect(await ledger.tasks.chat(project, 'T1')).toMatchObject([
        { text: 'How far are you?', by: ann, notificationId: null },
        { text: 'Half way: 50 % “done” \u{1F642}', by: bob },
      ]);
      expect(await ledger.tasks.chat(project, 'T2')).toEqual([]);
      expect((await history(ledger, project)).slice(1)).toMatchObject([
        { type: 'task.updated', by: ann, data: { id: 'T1', message: { text: 'How far are you?' } } },
        { type: 'task.updated', by: bob, data: { id: 'T1', message: { by: bob } } },
      ]);
    });

    it('LED-7 refuses a message for a missing task, and one that is too long', async () => {
      const { ledger, project } = await store.start();
      expect(await refusal(ledger.tasks.say(project, 'T1', 'hello', ann))).toMatchObject({
        code: 'not_found',
      });
      const long = 'x'.repeat(limits.chatText + 1);
      expect(await refusal(ledger.tasks.say(project, 'T1', long, ann))).toMatchObject({ code: 'invalid' });
    });

    it('LED-7 a task reads back as it was written, with any characters', async () => {
      const { ledger, project } = await store.start();
      const body = 'Naïve “quotes”, \u{1F642}, tabs\t and\nlines; drop table tasks; -- \\ \' "';
      await ledger.tasks.add({ projectId: project, id: 'T1', title: '  Work  ', body, priority: 0 }, ann);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ title: 'Work', body, priority: 0 });
    });
  });
});

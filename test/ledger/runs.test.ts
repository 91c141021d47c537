import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Run } from '../../src/schema/run.ts';
import { history, ofType, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const minute = { worker: 'here:1', leaseSeconds: 60 };
const gone = { worker: 'here:1', leaseSeconds: 0.001 };
const second = { worker: 'there:2', leaseSeconds: 60 };
const never = () => false;

const begin = (ledger: Ledger, projectId: string, claim = minute) =>
  ledger.runs.start(
    {
      projectId,
      agent: 'claude',
      source: 'plan',
      sourceId: 'x',
      cwd: '/w',
      data: { for: 'agent', prompt: 'Go.' },
    },
    claim,
    coder,
  );

async function untilExpired(run: Run): Promise<void> {
  while (Date.now() <= Date.parse(run.leaseUntil ?? '') + 1) await new Promise((done) => setImmediate(done));
}

describe('a run', () => {
  eachStore((store) => {
    it('LED-5 keeps the first session that the agent names, over a restart, until that is forgotten', async () => {
      const { ledger, project } = await store.start();
      const run = await begin(ledger, project);
      await ledger.runs.setSession(run, 's-1', coder);
      await ledger.runs.setSession(run, 's-2', coder);
      const later = await store.open();
      expect(await later.runs.get(project, run.id)).toMatchObject({
        status: 'running',
        sessionId: 's-1',
        cwd: '/w',
        holder: 'here:1',
      });
      await ledger.runs.forgetSession(run);
      await ledger.runs.setSession(run, 's-3', coder);
      expect((await later.runs.get(project, run.id)).sessionId).toBe('s-3');
    });

    it('LED-5 belongs to one process at a time: others can take it only if the lease has expired or the holder is dead', async () => {
      const { ledger, project } = await store.start();
      const live = await begin(ledger, project);
      expect(await refusal(ledger.runs.take(project, live.id, second, coder))).toMatchObject({
        code: 'conflict',
      });
      expect(await ledger.runs.abandoned(project, never)).toEqual([]);
      expect(await ledger.runs.abandoned(project, (holder) => holder === 'here:1')).toMatchObject([
        { id: live.id },
      ]);
      const taken = await ledger.runs.take(project, live.id, second, coder, 'here:1');
      expect(taken).toMatchObject({ holder: 'there:2', fence: 2 });
      expect(await refusal(ledger.runs.take(project, live.id, minute, coder, 'here:1'))).toMatchObject({
        code: 'conflict',
      });

      const late = await begin(ledger, project, gone);
      await untilExpired(late);
      expect((await ledger.runs.abandoned(project, never)).map((run) => run.id)).toEqual([late.id]);
      expect(await ledger.runs.take(project, late.id, second, coder)).toMatchObject({
        status: 'running',
        fence: 2,
      });
    });

    it('LED-5 refuses everything from a holder that was replaced', async () => {
      const { ledger, project } = await store.start();
      const old = await begin(ledger, project, gone);
      await untilExpired(old);
      await ledger.runs.take(project, old.id, second, coder);
      const end = { reason: 'ok', message: 'done' };
      for (const write of [
        () => ledger.runs.heartbeat(old, 60, coder),
        () => ledger.runs.wait(old, coder),
        () => ledger.runs.say(old, end, '', coder),
        () => ledger.runs.unsay(old, coder),
        () => ledger.runs.end(old, end, '', coder),
        () => ledger.runs.setSession(old, 's', coder),
        () => ledger.runs.setData(old, { for: 'agent' }),
        () => ledger.runs.forgetSession(old),
      ]) {
        expect(await refusal(write())).toMatchObject({ code: 'stale' });
      }
      expect(await ledger.runs.get(project, old.id)).toMatchObject({
        holder: 'there:2',
        data: { prompt: 'Go.' },
      });
    });

    it('LED-3 has its history in events, and keeps the agent’s last words, without secrets in the event', async () => {
      const { ledger, project } = await store.start();
      const run = await begin(ledger, project);
      await ledger.runs.wait(run, coder);
      const again = await ledger.runs.take(project, run.id, second, coder);
      const message = 'Incorrect API key provided: sk-proj-abcdefghijklmnop1234';
      await ledger.runs.end(again, { reason: 'failed', message }, 'the last words', coder);
      const ended = await ledger.runs.get(project, run.id);
      expect(ended).toMatchObject({
        status: 'ended',
        holder: null,
        end: { reason: 'failed', text: 'the last words' },
      });
      const events = (await history(ledger, project)).filter((event) => event.type === 'run.event');
      expect(events.map((event) => event.data.kind)).toEqual(['started', 'wait', 'take', 'end']);
      expect(JSON.stringify([events, ended])).not.toContain('sk-proj-');
      expect(JSON.stringify(events)).not.toContain('the last words');
      expect(await refusal(ledger.runs.take(project, run.id, minute, coder))).toMatchObject({
        code: 'invalid',
      });
    });

    it('WORK-3 what its agent said last outlives its holder, until the work is safe or known to be lost', async () => {
      const { ledger, project } = await store.start();
      const end = { reason: 'ok', message: 'Done.' };
      const said = await ledger.runs.say(await begin(ledger, project), end, 'A plan.', coder);
      await ledger.runs.heartbeat(said, 60, coder);
      await ledger.runs.wait(said, coder);
      const taken = await ledger.runs.take(project, said.id, minute, coder);
      expect(taken).toMatchObject({ status: 'said', end: { text: 'A plan.' }, endedAt: null });
      expect(await ledger.runs.unsay(taken, coder)).toMatchObject({ status: 'waiting', end: null });
      expect(await refusal(ledger.runs.say(taken, end, '', coder))).toMatchObject({ code: 'stale' });
      const events = (await history(ledger, project)).filter((event) => event.type === 'run.event');
      expect(events.map((event) => event.data.kind)).toEqual(['started', 'wait', 'take']);
    });

    it('CRASH the judgement of its answer is stored once, with its other data', async () => {
      const { ledger, project } = await store.start();
      const run = await begin(ledger, project);
      const ended = await ledger.runs.end(run, { reason: 'ok', message: 'Done.' }, 'A plan.', coder);
      await ledger.runs.judge(ended, { kind: 'sent_back', findings: 'No gates.' });
      const refused = await refusal(ledger.runs.judge(ended, { kind: 'accepted' }));
      expect(refused.code).toBe('stale');
      expect((await (await store.open()).runs.get(project, run.id)).data).toEqual({
        for: 'agent',
        prompt: 'Go.',
        judgement: { kind: 'sent_back', findings: 'No gates.' },
      });
    });

    it('LED-5 knows what it asked, in order; questions of two runs are two questions', async () => {
      const { ledger, project } = await store.start();
      const [one, two] = [await begin(ledger, project), await begin(ledger, project)];
      const ask = (run: Run, text: string) =>
        ledger.notifications.create(
          {
            projectId: project,
            source: 'plan',
            sourceId: 'x',
            questions: [text],
            resume: { agent: 'claude', run: run.id },
          },
          coder,
        );
      const first = await ask(one, 'Which?');
      expect((await ask(one, 'Which?')).existing).toBe(true);
      expect((await ask(two, 'Which?')).existing).toBe(false);
      await ledger.notifications.resolve(
        project,
        first.notification.id,
        { responses: [{ questionId: 'q1', answer: 'this' }] },
        ann,
      );
      expect(await ledger.runs.questions(project, one.id)).toMatchObject([
        { id: first.notification.id, outcome: 'answered' },
      ]);
      expect(await ledger.runs.questions(project, two.id)).toMatchObject([{ status: 'open' }]);
      expect(await refusal(ledger.runs.get(project, 'r-none'))).toMatchObject({ code: 'not_found' });
    });

    it('HUB-2 RUN-3 reports what its agent says and does, truncated and without secrets, and only for its holder', async () => {
      const { ledger, project } = await store.start();
      const run = await begin(ledger, project);
      const steps = [
        { kind: 'text' as const, text: 'x'.repeat(5000) },
        { kind: 'tool' as const, tool: 'curl -H "Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345"' },
      ];
      await ledger.runs.report(run, steps, coder);
      const told = ofType(await history(ledger, project), 'run.event').filter(
        ({ data }) => data.kind === 'text' || data.kind === 'tool',
      );
      expect(told.map(({ type, data }) => [type, data.id])).toEqual([
        ['run.event', run.id],
        ['run.event', run.id],
      ]);
      const [said, used] = told.map(({ data }) => data);
      expect(said?.kind === 'text' && said.text.length).toBe(2000);
      expect(used?.kind === 'tool' && used.tool).toMatch(/^(?!.*abcdefghijklmnop)curl/);
      await ledger.runs.end(run, { reason: 'ok', message: 'Done.' }, '', coder);
      expect(await refusal(ledger.runs.report(run, steps, coder))).toMatchObject({ code: 'stale' });
    });

    it('RUN-2 is found by its asker, newest first', async () => {
      const { ledger, project } = await store.start();
      const first = await begin(ledger, project);
      await new Promise((done) => setTimeout(done, 2));
      const later = await begin(ledger, project);
      expect((await ledger.runs.of(project, 'plan', 'x')).map(({ id }) => id)).toEqual([later.id, first.id]);
      expect(await ledger.runs.of(project, 'execute', 'x')).toEqual([]);
    });

    it('RUN-2 LED-5 several of one millisecond are in order, also from page to page', async () => {
      const { ledger, project } = await store.start();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
      onTestFinished(() => void vi.useRealTimers());
      const begun: string[] = [];
      for (let n = 0; n < 5; n++) begun.unshift((await begin(ledger, project)).id);
      expect((await ledger.runs.of(project, 'plan', 'x')).map(({ id }) => id)).toEqual(begun);
      const [first, last] = await ledger.runs.list(project, 2);
      expect([first?.id, last?.id]).toEqual(begun.slice(0, 2));
      const cursor = `${Date.parse(last?.startedAt ?? '')}.${last?.id}`;
      expect((await ledger.runs.list(project, 9, cursor)).map(({ id }) => id)).toEqual(begun.slice(2));
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { AgentEvent, AgentSetup } from '../../../src/agents/driver.ts';
import { ASSUME } from '../../../src/agents/questions/answer-text.ts';
import { resumeRun, startRun } from '../../../src/agents/run/conduct.ts';
import { puppetDriver } from '../support/puppet.ts';
import { openStage } from '../support/stage.ts';

type Puppet = Parameters<Parameters<typeof puppetDriver>[0][number]>[0];

const setup: AgentSetup = { cwd: '/', env: {}, mustAsk: true };
const wanted = (projectId: string) => ({
  projectId,
  source: 'execute' as const,
  sourceId: 'shop/1',
  prompt: 'Build.',
  work: { for: 'agent' as const },
});
const question: AgentEvent = { kind: 'question', ask: { id: 'a', questions: ['Which?'] } };
const permission = (command: string): AgentEvent => ({
  kind: 'permission',
  id: 'p',
  tool: 'Bash',
  input: { command },
});

/** Asks, and ends like this once it has the answer. */
const asksAndEnds =
  (event: AgentEvent, reason: 'crashed' | 'ok' | 'stopped', session?: string) => (self: Puppet) => {
    if (session) self.events.push({ kind: 'session', sessionId: session });
    self.events.push(event);
    const wait = () =>
      self.answers.length + self.permits.length > 0 ? self.end(reason, 'done') : setTimeout(wait, 5);
    wait();
  };

describe('what an agent asks again', () => {
  test('a question of an agent that crashed is answered for the next one from the record (BIND-3)', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([asksAndEnds(question, 'crashed'), asksAndEnds(question, 'ok')]);
    const conducting = { ledger: stage.ledger, driver, setup };
    const first = startRun(conducting, wanted(stage.projectId));
    const { id } = await stage.asked();
    await stage.answer(id, 'this');
    expect((await first).end.reason).toBe('crashed');
    const second = await startRun(conducting, wanted(stage.projectId));
    expect(second.end.reason).toBe('ok');
    expect(runs[1]?.answers).toMatchObject([['a', { id, responses: [{ answer: 'this' }] }]]);
    expect(await stage.ledger.notifications.count(['open'], stage.projectId)).toBe(0);
  });

  test('a permission is given again for the very same input only (BIND-3)', async () => {
    const stage = await openStage();
    const { driver, runs } = puppetDriver([
      asksAndEnds(permission('ls'), 'crashed'),
      asksAndEnds(permission('ls'), 'crashed'),
      asksAndEnds(permission('ls -a'), 'crashed'),
    ]);
    const conducting = { ledger: stage.ledger, driver, setup };
    const first = startRun(conducting, wanted(stage.projectId));
    await stage.answer((await stage.asked()).id, 'approve');
    await first;
    await startRun(conducting, wanted(stage.projectId));
    expect(runs[1]?.permits).toEqual([['p', true, undefined]]);
    const third = startRun(conducting, wanted(stage.projectId));
    await stage.answer((await stage.asked()).id, 'reject');
    await third;
    expect(runs[2]?.permits).toEqual([['p', false, undefined]]);
  });

  test('a permission that was given with a wider one is given again as a plain yes (HEAR-8)', async () => {
    const stage = await openStage();
    const offer = { id: 'wide', effect: 'allow `ls *` for this session' };
    const asks = { ...permission('ls'), suggestions: [offer] } as AgentEvent;
    const { driver, runs } = puppetDriver([asksAndEnds(asks, 'crashed'), asksAndEnds(asks, 'ok')]);
    const conducting = { ledger: stage.ledger, driver, setup };
    const first = startRun(conducting, wanted(stage.projectId));
    await stage.answer((await stage.asked()).id, `Approve, and ${offer.effect}`);
    await first;
    await startRun(conducting, wanted(stage.projectId));
    expect(runs.map(({ permits, remarks }) => [permits[0]?.[1], remarks[0]?.suggestion])).toEqual([
      [true, 'wide'],
      [true, undefined],
    ]);
  });

  test('a session resumed after a clean stop keeps its life, so a repeated question is asked again (BIND-3)', async () => {
    const stage = await openStage();
    const { driver } = puppetDriver([
      asksAndEnds(question, 'stopped', 's-1'),
      asksAndEnds(question, 'ok', 's-1'),
    ]);
    const conducting = { ledger: stage.ledger, driver, setup };
    const first = startRun(conducting, wanted(stage.projectId));
    const one = await stage.asked();
    await stage.answer(one.id, 'this');
    const { run } = await first;
    const second = resumeRun(conducting, stage.projectId, run.id);
    const two = await stage.asked();
    expect(two.id).not.toBe(one.id);
    await stage.answer(two.id, 'that');
    await second;
  });

  test('a session whose process was killed gets the recorded answer when it asks again (BIND-3)', async () => {
    const stage = await openStage();
    const { ledger, projectId } = stage;
    const { driver, runs } = puppetDriver([asksAndEnds(question, 'ok', 's-1')]);
    const by = { actor: { kind: 'agent' as const, name: 'puppet' }, channel: 'agent' as const };
    const { prompt: _, work, ...asker } = wanted(projectId);
    const started = { ...asker, agent: 'puppet', cwd: '/', data: { ...work, life: 'life-1' } };
    const run = await ledger.runs.start(started, { worker: 'gone', leaseSeconds: 1 }, by);
    await ledger.runs.setSession(run, 's-1', by);
    const resume = { agent: 'puppet', run: run.id };
    const asked = { projectId, source: 'execute' as const, sourceId: 'shop/1', questions: ['Which?'] };
    const { notification } = await ledger.notifications.create({ ...asked, resume, life: 'life-1' }, by);
    await stage.answer(notification.id, 'this');
    await ledger.notifications.markDelivered(projectId, notification.id, by);
    await expect.poll(() => Date.now() > Date.parse(run.leaseUntil ?? '')).toBe(true);
    await resumeRun({ ledger, driver, setup }, projectId, run.id);
    expect(runs[0]?.answers).toMatchObject([['a', { id: notification.id }]]);
  });

  test('a question that nobody is to be asked, left open by a kill, is settled alone on resume (SEED-5)', async () => {
    const { ledger, projectId } = await openStage();
    const { driver, sent } = puppetDriver([(self) => self.end('ok', 'done')]);
    const by = { actor: { kind: 'agent' as const, name: 'puppet' }, channel: 'agent' as const };
    const asker = { projectId, source: 'plan' as const, sourceId: 'x' };
    const run = await ledger.runs.start(
      { ...asker, agent: 'puppet', cwd: '/', data: { for: 'agent', life: 'life-1' } },
      { worker: 'gone', leaseSeconds: 1 },
      by,
    );
    await ledger.runs.setSession(run, 's-1', by);
    const resume = { agent: 'puppet', run: run.id };
    const asked = { ...asker, questions: ['Which?', 'Why?'], resume, life: 'life-1' };
    const { notification } = await ledger.notifications.create(asked, by);
    const [which] = notification.questions;
    const said = { responses: [{ questionId: which?.id ?? '', answer: 'this' }] };
    const decision = { actor: { kind: 'policy' as const, name: 'decision' }, channel: 'ledger' as const };
    await ledger.notifications.resolve(projectId, notification.id, said, decision);
    await expect.poll(() => Date.now() > Date.parse(run.leaseUntil ?? '')).toBe(true);
    const conducting = { ledger, driver, setup, questions: 'assume' as const };
    expect((await resumeRun(conducting, projectId, run.id)).end.reason).toBe('ok');
    expect(sent).toMatchObject([
      [{ id: notification.id, responses: [{ answer: 'this' }, { answer: ASSUME }] }],
    ]);
  });
});

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Records, type Rollout, rolloutFile, transcript } from '../../../src/agents/codex/transcript.ts';

const MAIN = '01a1e70d-23b4-7bd2-9e09-935ff490512b';
const SUB = '01a1e70d-2518-7640-be88-0153e9d0339d';
const at = '2026-11-17T01:09:20.441Z';

const entry = (type: string, payload: object) => `${JSON.stringify({ timestamp: at, type, payload })}\n`;
const item = (payload: object) => entry('response_item', payload);
const event = (type: string) => entry('event_msg', { type, turn_id: 't' });
const call = (callId: string, name: string) =>
  item({ type: 'function_call', name, arguments: '{}', call_id: callId });
const output = (callId: string, text: unknown) =>
  item({ type: 'function_call_output', call_id: callId, output: text });
const told = (text: string) =>
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

/** A home of Codex with the records of these threads. */
function home(records: Record<string, string>) {
  const HOME = mkdtempSync(join(tmpdir(), 'fermata-codex-'));
  onTestFinished(() => rmSync(HOME, { recursive: true }));
  const day = join(HOME, '.codex/sessions/2026/11/17');
  mkdirSync(day, { recursive: true });
  const path = (id: string) => join(day, `rollout-2026-11-17T01-09-20-${id}.jsonl`);
  for (const [id, text] of Object.entries(records)) writeFileSync(path(id), text);
  return { env: { HOME }, path };
}

const has = (callId: string | undefined) => (record: Rollout) => callId !== undefined && record.has(callId);

it('HEAR-4 an answer is safe once its line is whole on disk, not when the call is over', async () => {
  const { env, path } = home({ [MAIN]: call('call_ask', 'ask_human') });
  const records = new Records((id) => rolloutFile({ env }, id));
  let isSafe: boolean | undefined;
  const kept = records.keeps(MAIN, has('call_ask')).then((isKept) => {
    isSafe = isKept;
  });
  const line = output('call_ask', 'Which?\nZig');
  appendFileSync(path(MAIN), line.slice(0, 60));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isSafe).toBeUndefined();
  appendFileSync(path(MAIN), line.slice(60));
  await kept;
  expect(isSafe).toBe(true);
});

it('HEAR-4 an answer that was not written before Codex died is lost; one of a finished turn is not', async () => {
  const { env } = home({ [MAIN]: call('call_ask', 'ask_human') });
  const records = new Records((id) => rolloutFile({ env }, id));
  const lost = records.keeps(MAIN, has('call_ask'));
  const unnamed = records.keeps(SUB, has(undefined));
  records.turnDone(SUB);
  expect(await unnamed).toBe(true);
  records.close();
  expect(await lost).toBe(false);
});

it('HEAR-4 the transcript has what the thread received, and the calls of sub-agents that have finished', async () => {
  const main = [
    told('Plan.'),
    call('call_spawn', 'spawn_agent'),
    output('call_spawn', `{"agent_id":"${SUB}","nickname":"Ampere"}`),
    output('call_broken', 'aborted by user after 0.8s'),
    output('call_cancelled', 'dynamic tool call was cancelled before receiving a response'),
  ];
  const sub = [event('task_started'), output('call_look', [{ type: 'input_text', text: 'Zig' }])];
  const alive = await transcript(home({ [MAIN]: main.join(''), [SUB]: sub.join('') }), MAIN);
  expect(alive?.messages).toEqual(['Plan.']);
  expect([...(alive?.calls ?? [])]).toEqual(['call_spawn']);
  expect(alive?.results.get('call_broken')?.isError).toBe(true);
  expect(alive?.results.get('call_cancelled')?.isError).toBe(true);
  expect(alive?.results.has(`${SUB}/call_look`)).toBe(false);
  const done = home({ [MAIN]: main.join(''), [SUB]: [...sub, event('task_complete')].join('') });
  expect((await transcript(done, MAIN))?.results.get(`${SUB}/call_look`)).toEqual({
    isError: false,
    text: 'Zig',
  });
  expect(await transcript(done, 'unknown')).toBeUndefined();
});

it('HEAR-4 in a sandbox, the record is found in the home of the sandbox', async () => {
  const { env } = home({ [MAIN]: output('call_ask', 'Zig') });
  const mounts = [{ path: '/home/ada', from: env.HOME, writable: true }];
  const sandbox = { bwrap: 'bwrap', temporary: [], mounts };
  const found = await transcript({ env: { HOME: '/home/ada' }, sandbox }, MAIN);
  expect(found?.results.has('call_ask')).toBe(true);
});

it('HEAR-4 neither a link out of the folder of Codex nor a pipe is read', async () => {
  const place = home({});
  const outside = join(place.env.HOME, 'outside.jsonl');
  writeFileSync(outside, output('call_ask', 'Zig'));
  symlinkSync(outside, place.path(MAIN));
  expect(await transcript(place, MAIN)).toBeUndefined();
  execFileSync('mkfifo', [place.path(SUB)]);
  expect((await transcript(place, SUB))?.results.size).toBe(0);
});

it('HEAR-4 a line that is too long is skipped, and two that wait for one record both get it', async () => {
  const place = home({ [MAIN]: output('call_long', 'x'.repeat(9 * 1024 * 1024)) });
  const records = new Records((id) => rolloutFile(place, id));
  appendFileSync(place.path(MAIN), call('call_one', 'ask_human') + call('call_two', 'ask_human'));
  const kept = Promise.all([records.keeps(MAIN, has('call_one')), records.keeps(MAIN, has('call_two'))]);
  appendFileSync(place.path(MAIN), output('call_one', 'Zig') + output('call_two', 'Rust'));
  expect(await kept).toEqual([true, true]);
  expect([...((await transcript(place, MAIN))?.results.keys() ?? [])]).toEqual(['call_one', 'call_two']);
});

it('HEAR-4 a missing record is checked for rarely, and once more when Codex has ended', async () => {
  let looks = 0;
  const records = new Records(async () => {
    looks += 1;
    return undefined;
  });
  const kept = records.keeps(MAIN, has('call_ask'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(looks).toBe(1);
  records.close();
  expect(await kept).toBe(false);
  expect(looks).toBe(2);
});

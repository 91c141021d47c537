import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import { Follower, settled } from '../conformance/follow.ts';

/** Stands in for Codex: its first turn ends with a question in words. */
const PROGRAM = `#!${process.execPath}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tell = (method, params) => say({ method, params: { threadId: 't', ...params } });
let turns = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent: 'codex/1.0.0' } });
  if (method === 'thread/start') say({ id, result: { thread: { id: 't' } } });
  if (method !== 'turn/start') return;
  const turn = { id: 'turn-' + ++turns, status: 'completed' };
  if (turns === 2 && DIES) process.exit(3);
  say({ id, result: { turn } });
  tell('turn/started', { turn });
  const item = { type: 'agentMessage', id: 'm1', text: 'Which language should I use?' };
  if (turns === 1) tell('item/completed', { item });
  tell('turn/completed', { turn });
});
`;

/** The run of a Codex whose question is answered, until its end. */
async function answered({ dies }: { dies: boolean }) {
  const cwd = mkdtempSync(join(tmpdir(), 'fermata-codex-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const program = join(cwd, 'codex.cjs');
  writeFileSync(program, PROGRAM.replace('DIES', String(dies)), { mode: 0o755 });
  const env = { PATH: process.env.PATH, HOME: cwd };
  const agent = new Follower(codexDriver.start({ cwd, env, program, mustAsk: true }, 'Plan.'));
  const { ask } = await agent.take('question');
  const received = await agent.run.answer(ask.id, settled('codex', ask, ['Zig']));
  const end = await agent.run.ended;
  return { received, end, asked: agent.events.filter(({ kind }) => kind === 'question') };
}

it('HEAR-8 a turn without a message does not ask the question of the turn before it again', async () => {
  const { received, end, asked } = await answered({ dies: false });
  expect({ received, asked }).toEqual({ received: true, asked: [] });
  expect(end).toMatchObject({ reason: 'ok', text: 'Which language should I use?' });
});

it('HEAR-5 Codex that dies while it gets the answer has crashed, and can be resumed', async () => {
  const { received, end } = await answered({ dies: true });
  expect(received).toBe(false);
  expect(end).toMatchObject({ reason: 'crashed', exitCode: 3, sessionId: 't' });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexDriver } from '../../../src/agents/codex/driver.ts';
import { Follower } from '../conformance/follow.ts';

/** Stands in for Codex: its first turn asks whether it may run a command, and ends with the decision. */
const PROGRAM = `#!${process.execPath}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tell = (method, params) => say({ method, params: { threadId: 't', ...params } });
const turn = (status) => ({ id: 'turn-' + turns, status });
let turns = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent: 'codex/1.0.0' } });
  if (method === 'thread/start') say({ id, result: { thread: { id: 't' } } });
  if (method === 'turn/steer') say(STEERS ? { id, result: {} } : { id, error: { message: 'cannot be steered' } });
  if (method === 'turn/start') {
    turns += 1;
    require('node:fs').writeFileSync('turn-' + turns, params.input[0].text);
    say({ id, result: { turn: turn('inProgress') } });
    tell('turn/started', { turn: turn('inProgress') });
    if (turns === 1) say({ id: 7, method: 'item/commandExecution/requestApproval', params: { threadId: 't', command: 'ls' } });
    else tell('turn/completed', { turn: turn('completed') });
  }
  if (id === 7 && method === undefined) {
    tell('serverRequest/resolved', { requestId: 7 });
    if (STEERS) process.exit(3);
    tell('turn/completed', { turn: turn('completed') });
  }
});
`;

function start({ steers }: { steers: boolean }) {
  const cwd = mkdtempSync(join(tmpdir(), 'fermata-codex-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const program = join(cwd, 'codex.cjs');
  writeFileSync(program, PROGRAM.replaceAll('STEERS', String(steers)), { mode: 0o755 });
  const env = { PATH: process.env.PATH, HOME: cwd };
  const agent = new Follower(codexDriver.start({ cwd, env, program, mustAsk: true }, 'Plan.'));
  return { agent, told: (turn: number) => readFileSync(join(cwd, `turn-${turn}`), 'utf8') };
}

it('HEAR-8 a note that the current turn does not take is sent in the next turn', async () => {
  const { agent, told } = start({ steers: false });
  const { id } = await agent.take('permission');
  expect(await agent.run.permit(id, false, { note: 'Not there.' })).toBe(true);
  expect(await agent.run.ended).toMatchObject({ reason: 'ok' });
  expect(told(2)).toBe('I rejected `ls`, with a note: Not there.');
});

it('HEAR-4 HEAR-8 a note that Codex took, but had not saved when it died, is not delivered', async () => {
  const { agent } = start({ steers: true });
  const { id } = await agent.take('permission');
  expect(await agent.run.permit(id, true, { note: 'Only once.' })).toBe(false);
  expect(await agent.run.ended).toMatchObject({ reason: 'crashed' });
});

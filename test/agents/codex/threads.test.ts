import { expect, it } from 'vitest';
import { AppServerReader } from '../../../src/agents/codex/app-server-reader.ts';
import { Threads } from '../../../src/agents/codex/threads.ts';

const spawned = (status: string) => ({
  type: 'collabAgentToolCall',
  id: 'call_spawn',
  tool: 'spawnAgent',
  status: 'completed',
  senderThreadId: 'main',
  receiverThreadIds: ['sub'],
  prompt: 'Look at the parser.\nThen tell me.',
  agentsStates: { sub: { status, message: null } },
});

/** The threads of a Codex whose agent has begun a turn, and what it says about them. */
function threads() {
  const all = new Threads();
  const reader = new AppServerReader((event) => {
    if (event.type === 'turn' || event.type === 'result' || event.type === 'task') all.hear(event);
  });
  const say = (method: string, params: Record<string, unknown>) => reader.read({ method, params });
  const turn = (threadId: string, step: 'started' | 'completed') =>
    say(`turn/${step}`, { threadId, turn: { id: `turn of ${threadId}` } });
  const item = (told: object, step: 'started' | 'completed') =>
    say(`item/${step}`, { threadId: 'main', item: told });
  all.main = 'main';
  say('thread/started', { thread: { id: 'main' } });
  turn('main', 'started');
  return { all, say, turn, item };
}

it('HEAR-1 a sub-agent is under way from the moment that it is spawned until its turn ends', () => {
  const { all, turn, item } = threads();
  item(spawned('pendingInit'), 'completed');
  turn('main', 'completed');
  expect(all.isBusy).toBe(false);
  expect(all.background).toEqual(['Look at the parser.']);
  turn('sub', 'started');
  expect(all.turnOf('sub')).toBe('turn of sub');
  expect(all.background).toEqual(['Look at the parser.']);
  turn('sub', 'completed');
  expect(all.turnOf('sub')).toBeUndefined();
  expect(all.background).toEqual([]);
});

it('HEAR-1 a sub-agent whose turn ended before it was reported holds up nothing', () => {
  const { all, turn, item } = threads();
  turn('sub', 'started');
  turn('sub', 'completed');
  item(spawned('running'), 'completed');
  expect(all.background).toEqual([]);
  turn('sub', 'started');
  expect(all.background).toEqual(['Look at the parser.']);
});

it('HEAR-1 a sub-agent that failed to start or was closed holds up nothing', () => {
  const { all, item, say } = threads();
  item(spawned('errored'), 'completed');
  expect(all.background).toEqual([]);
  item(spawned('pendingInit'), 'completed');
  expect(all.background).toEqual(['Look at the parser.']);
  say('thread/closed', { threadId: 'sub' });
  expect(all.background).toEqual([]);
});

it('HEAR-1 a command is under way until it exits, also after the turn', () => {
  const { all, turn, item } = threads();
  const command = { type: 'commandExecution', id: 'call_1', command: "/bin/bash -lc 'npm run dev'" };
  item(command, 'started');
  turn('main', 'completed');
  expect(all.background).toEqual(['`npm run dev`']);
  item(command, 'completed');
  expect(all.background).toEqual([]);
});

it('HEAR-2 a thread is identified by its id, and a sub-agent by its instructions', () => {
  const { all, item } = threads();
  item(
    { type: 'subAgentActivity', kind: 'started', agentThreadId: 'two', agentPath: '/lead/look' },
    'completed',
  );
  expect(all.speaker('main')).toEqual({});
  expect(all.speaker('two')).toEqual({ parent: 'two', asker: '/lead/look' });
  expect(all.speaker('three')).toEqual({ parent: 'three' });
});

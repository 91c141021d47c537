import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlDialogue } from '../../../src/agents/claude/control-dialogue.ts';
import type { Action } from '../../../src/agents/claude/dialogue.ts';
import { AgentStream } from '../../../src/agents/stream/agent-stream.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
/** When the wake-ups in the recordings were scheduled. */
const RECORDED = new Date('2026-11-17T00:55:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: RECORDED });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Plays recorded lines into a session, a minute apart or less, and allows what it asks. */
function replay(lines: string[], msPerLine = 100, allows = () => true) {
  const session = new ControlDialogue({
    name: 'claude',
    setup: { mustAsk: false, parkAfterMs: 1000 },
    prompt: 'Go.',
    settled: new Map(),
  });
  const actions: Action[][] = [];
  let now: Action[] = [];
  const stream = new AgentStream({ from: 'claude', onEvent: (event) => now.push(...session.hear(event)) });
  session.begin();
  for (const line of lines) {
    vi.setSystemTime(Date.now() + msPerLine);
    now = [];
    stream.push(Buffer.from(`${line}\n`));
    for (const action of [...now]) {
      if (action.do === 'emit' && action.event.kind === 'permission' && allows()) {
        now.push(...session.permit(action.event.id, true, {}));
      }
    }
    actions.push(now);
  }
  const at = (what: Action['do']) =>
    actions.flatMap((all, index) => (all.some((a) => a.do === what) ? [index] : []));
  const events = actions.flat().flatMap((action) => (action.do === 'emit' ? [action.event] : []));
  /** What happens if nothing does until the last timer expires. */
  const later = () =>
    actions
      .flat()
      .findLast((action) => action.do === 'after')
      ?.run() ?? [];
  return { session, at, events, later, end: stream.view().end };
}

const recorded = (name: string) => readFileSync(join(FIXTURES, name), 'utf8').trimEnd().split('\n');

describe('HEAR-1: what an agent has under way, from recordings of the real CLIs', () => {
  it.each(readdirSync(FIXTURES).filter((name) => !name.startsWith('command-')))(
    'HEAR-1: %s: our end stays open until the last turn is over',
    (name) => {
      const lines = recorded(name);
      const { at, end } = replay(lines, /schedule|wake-up/.test(name) ? 60_000 : 100);
      expect(at('close')).toEqual([lines.length - 1]);
      expect(end).toMatchObject({ kind: 'ok', text: expect.stringContaining('Final') });
    },
  );

  it.each(['command-2.1.197.jsonl', 'command-2.1.325.jsonl'])(
    'HEAR-1: %s: a command that ended has time to wake the agent, and no more than that',
    (name) => {
      const lines = recorded(name);
      const woken = lines.findLastIndex((line) => line.includes('"subtype":"init"'));
      const { later, at } = replay(lines.slice(0, woken));
      expect(at('close')).toEqual([]);
      vi.setSystemTime(Date.now() + 5001);
      const isRunning = lines[woken - 1]?.includes('"running"') || lines[woken - 2]?.includes('"running"');
      expect(later()).toEqual(isRunning ? [] : [{ do: 'close' }]);
    },
  );

  it('HEAR-2: nested sub-agents are distinguished by their task', () => {
    for (const version of ['2.1.197', '2.1.325']) {
      const { events } = replay(recorded(`nested-sub-agent-${version}.jsonl`));
      const asked = events.filter(({ kind }) => kind === 'permission');
      expect(asked).toMatchObject([{ id: 'n0', parent: 's0', asker: 'inner' }]);
    }
  });

  it.each([
    ['is parked with nothing under way', [], 'defer'],
    ['is held while a task is alive', ['task_started'], undefined],
    [
      'is held when a task has ended since, because its end would wake the agent',
      ['task_started', 'task_notification'],
      undefined,
    ],
  ])('HEAR-3: a question %s', (_, subtypes, decision) => {
    const lines = recorded('command-2.1.325.jsonl');
    const input = { questions: [{ question: 'Which?', header: 'H', options: [], multiSelect: false }] };
    const tool = { type: 'tool_use', id: 't9', name: 'AskUserQuestion', input };
    const hook = {
      hook_event_name: 'PreToolUse',
      tool_name: tool.name,
      tool_input: input,
      tool_use_id: 't9',
    };
    const { later } = replay([
      ...lines.slice(0, 2),
      ...subtypes.flatMap((subtype) => lines.find((line) => line.includes(`"${subtype}"`)) ?? []),
      JSON.stringify({ type: 'assistant', message: { id: 'msg-9', content: [tool] } }),
      JSON.stringify({
        type: 'control_request',
        request_id: 'r9',
        request: { subtype: 'hook_callback', callback_id: 'fermata-ask', input: hook, tool_use_id: 't9' },
      }),
    ]);
    const [action] = later();
    const sent = JSON.stringify(action);
    expect(sent).toContain('"request_id":"r9"');
    expect(/"permissionDecision":"(\w+)"/.exec(sent)?.[1]).toBe(decision);
  });

  it('HEAR-2: a note with an approval says which sub-agent it is for', () => {
    const lines = recorded('nested-sub-agent-2.1.325.jsonl');
    const asks = lines.findIndex((line) => line.includes('"can_use_tool"'));
    const { session } = replay(lines.slice(0, asks + 1), 100, () => false);
    expect(session.permit('n0', true, { note: 'Only once.' }).at(-1)).toMatchObject({
      do: 'send',
      message: {
        message: {
          content: 'I approved what your sub-agent "inner" wanted (Bash), with a note: Only once.',
        },
      },
    });
  });

  it('HEAR-1: a run without background work ends with its result', () => {
    const lines = recorded('command-2.1.197.jsonl').filter((line) =>
      /"init"|"assistant"|"result"/.test(line),
    );
    const first = lines.findIndex((line) => line.includes('"type":"result"'));
    expect(replay(lines.slice(0, first + 1)).at('close')).toEqual([first]);
  });

  it('HEAR-1: a cancelled wake-up does not keep the run open', () => {
    const lines = recorded('schedule-2.1.325.jsonl');
    const result = lines.findIndex((line) => line.includes('"type":"result"'));
    const id = /"tool_use_result":\{"id":"([^"]+)"/.exec(lines.join('\n'))?.[1];
    const tool = { type: 'tool_use', id: 't9', name: 'CronDelete', input: { id } };
    const cancel = JSON.stringify({ type: 'assistant', message: { id: 'msg-9', content: [tool] } });
    const played = [...lines.slice(0, result), cancel, ...lines.slice(result, result + 2)];
    expect(replay(played).at('close')).toEqual([played.length - 1]);
  });
});

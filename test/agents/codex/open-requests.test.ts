import { expect, it } from 'vitest';
import { AppServerReader } from '../../../src/agents/codex/app-server-reader.ts';
import { OpenRequests } from '../../../src/agents/codex/open-requests.ts';
import { Threads } from '../../../src/agents/codex/threads.ts';
import { Records } from '../../../src/agents/codex/transcript.ts';
import type { AgentEvent } from '../../../src/agents/driver.ts';
import { permissionQuestion } from '../../../src/agents/questions/permission-question.ts';

function requests() {
  const events: AgentEvent[] = [];
  const threads = new Threads();
  threads.main = 'main';
  const nobody = () => {
    throw new Error('nothing is sent in these tests');
  };
  const open = new OpenRequests({
    connection: { call: nobody, respond: nobody, refuse: nobody },
    threads,
    records: new Records(async () => undefined),
    tell: (event) => events.push(event),
    changed: () => undefined,
    tellLater: nobody,
  });
  const reader = new AppServerReader((event) => {
    if (event.type === 'question' || event.type === 'permission') open.take(event);
    if (event.type === 'request-closed') open.resolved(event.requestId);
    if (event.type === 'tool-result') open.callEnded(threads.idOf(event.parent), event.toolUseId);
  });
  reader.read({ method: 'thread/started', params: { thread: { id: 'main' } } });
  const take = (id: number, method: string, params: object) => reader.read({ id, method, params });
  const item = (step: 'started' | 'completed', threadId: string, told: object) =>
    reader.read({ method: `item/${step}`, params: { threadId, item: told } });
  const resolved = (requestId: number) =>
    reader.read({ method: 'serverRequest/resolved', params: { requestId } });
  const shown = () => {
    const [event] = events;
    return event?.kind === 'permission' ? permissionQuestion(event).verbatim : undefined;
  };
  return { take, item, resolved, shown, events };
}

it('a change of files that Codex wants to make is shown as its diffs (BIND-11)', () => {
  const { take, item, shown } = requests();
  const diff = '@@ -1 +1 @@\n-a\n+b\n';
  item('started', 'main', {
    id: 'item-1',
    type: 'fileChange',
    changes: [{ path: 'src/**/a.ts', kind: { type: 'update', move_path: 'b.ts' }, diff }],
  });
  take(7, 'item/fileChange/requestApproval', { itemId: 'item-1', reason: 'tidy' });
  expect(shown()).toEqual([
    { label: '1. update src/**/a.ts → b.ts', text: diff },
    { label: 'itemId', text: 'item-1' },
    { label: 'reason', text: 'tidy' },
  ]);
});

it('HEAR-8 a command may be allowed for the session, but not by a rule that Codex would keep for good', () => {
  const { take, events } = requests();
  const rule = ['touch', 'a.txt'];
  take(7, 'item/commandExecution/requestApproval', {
    command: "/bin/bash -lc 'touch a.txt'",
    proposedExecpolicyAmendment: rule,
    availableDecisions: [
      'accept',
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: rule } },
      'cancel',
    ],
  });
  expect(events).toMatchObject([
    { kind: 'permission', suggestions: [{ id: 'session', effect: 'allow `touch a.txt` for this session' }] },
  ]);
});

it('if Codex did not say what it would change, the person is told (BIND-11)', () => {
  const { take, shown } = requests();
  take(7, 'item/fileChange/requestApproval', { itemId: 'item-2' });
  expect(shown()?.[0]?.text).toBe('Codex did not say what it wants to change.');
});

const form = (server: string, message: string) => ({
  threadId: 'sub',
  serverName: server,
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
});
const called = (id: string, server: string, input: object) => ({
  id,
  type: 'mcpToolCall',
  server,
  tool: 'x',
  arguments: input,
});
const asked = (events: AgentEvent[]) =>
  events.flatMap((event) => (event.kind === 'question' ? [event.ask] : []));

it('HEAR-2 a form that an MCP server sends after it took one back in the same call is another question', () => {
  const { take, item, resolved, events } = requests();
  item('started', 'sub', called('call_1', 'deploy', {}));
  take(4, 'mcpServer/elicitation/request', form('deploy', 'Where?'));
  resolved(4);
  take(5, 'mcpServer/elicitation/request', form('deploy', 'Where, then?'));
  const [first, second] = asked(events);
  expect(events[1]).toEqual({ kind: 'cancelled', askId: first?.id });
  expect(second?.id).not.toBe(first?.id);
  expect([first?.callId, second?.callId]).toEqual(['sub/call_1', 'sub/call_1']);
  expect(second?.elicitation).toBe(true);
});

it('HEAR-2 of two calls at once, each asks its own question, which ends only when that call ends', () => {
  const { take, item, events } = requests();
  const inputs = ['Which parser?', 'Which tests?'].map((question) => ({ questions: [{ question }] }));
  for (const [at, input] of inputs.entries()) {
    item('started', 'sub', called(`call_${at}`, 'fermata_run', input));
  }
  for (const at of [1, 0]) {
    take(at, 'mcpServer/elicitation/request', form('fermata_run', JSON.stringify(inputs[at])));
  }
  expect(asked(events).map(({ callId, questions }) => [callId, questions])).toEqual([
    ['sub/call_1', inputs[1]?.questions],
    ['sub/call_0', inputs[0]?.questions],
  ]);
  expect(asked(events).some(({ elicitation }) => elicitation)).toBe(false);
  item('completed', 'sub', { id: 'call_1' });
  expect(events.at(-1)).toEqual({ kind: 'cancelled', askId: asked(events)[0]?.id });
});

it('HEAR-2 a form that may belong to either of two calls outlives the end of one', () => {
  const { take, item, events } = requests();
  for (const id of ['call_1', 'call_2']) item('started', 'sub', called(id, 'deploy', { to: id }));
  take(6, 'mcpServer/elicitation/request', form('deploy', 'Where?'));
  item('completed', 'sub', { id: 'call_1' });
  expect(events.map(({ kind }) => kind)).toEqual(['question']);
});

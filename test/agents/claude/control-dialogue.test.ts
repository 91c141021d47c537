import { describe, expect, it } from 'vitest';
import { ControlDialogue } from '../../../src/agents/claude/control-dialogue.ts';
import type { Action } from '../../../src/agents/claude/dialogue.ts';
import { AgentStream } from '../../../src/agents/stream/agent-stream.ts';
import type { Notification } from '../../../src/schema/notification.ts';

const by = { actor: { kind: 'person', name: 'Ada' }, channel: 'terminal' } as const;
const at = '2026-01-01T00:00:00.000Z';
const CLOSE = { do: 'close' };

function dialogue() {
  const control = new ControlDialogue({
    name: 'claude',
    setup: { mustAsk: true },
    prompt: 'Go.',
    settled: new Map(),
  });
  let heard: Action[] = [];
  const stream = new AgentStream({
    from: 'claude',
    onEvent: (event) => heard.push(...control.hear(event)),
  });
  control.begin();
  const hear = (line: object): Action[] => {
    heard = [];
    stream.push(Buffer.from(`${JSON.stringify(line)}\n`));
    return heard;
  };
  const request = (id: string, asked: object) =>
    hear({ type: 'control_request', request_id: id, request: asked });
  return { control, hear, request };
}

const form = {
  subtype: 'elicitation',
  mode: 'form',
  message: 'Which?',
  requested_schema: {
    type: 'object',
    properties: { language: { type: 'string', title: 'Language', enum: ['Rust', 'Zig'] } },
    required: ['language'],
  },
};
const permission = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 't1',
};
const result = { type: 'result', subtype: 'success', is_error: false, result: 'Done.' };
const message = { type: 'assistant', message: { id: 'msg_2', content: [{ type: 'text', text: 'Hm.' }] } };
const cancel = { type: 'control_cancel_request', request_id: 'r1' };

function filledIn(actions: Action[]): Notification {
  const [question] = actions.flatMap((each) =>
    each.do === 'emit' && each.event.kind === 'question'
      ? (each.event.ask.questions as { id: string }[])
      : [],
  );
  const responses = [{ kind: 'answered', questionId: question?.id, answer: 'Zig', by, at }];
  return { id: 'n-1', status: 'answered', outcome: 'answered', questions: [question], responses } as never;
}

describe('HEAR-1: what is still open when the last turn ends', () => {
  it('HEAR-1: a form keeps the run open; once it is filled in, its server gets the answer, and the run ends', () => {
    const { control, hear, request } = dialogue();
    const asked = request('r1', form);
    expect(asked).toMatchObject([{ event: { ask: { id: 'r1', elicitation: true } } }]);
    const settled = filledIn(asked);
    expect(hear(result)).not.toContainEqual(CLOSE);
    const [sent, ...rest] = control.answer('r1', settled);
    expect(sent).toMatchObject({ do: 'send', message: { response: { request_id: 'r1' } } });
    expect(rest).toEqual([{ do: 'delivered', askId: 'r1', delivered: true }, CLOSE]);
  });

  it('HEAR-1: filling in a form during a turn does not end the run', () => {
    const { control, hear, request } = dialogue();
    const settled = filledIn(request('r1', form));
    hear(result);
    hear(message);
    expect(control.answer('r1', settled)).toMatchObject([{ do: 'send' }]);
    expect(hear(result)).toContainEqual(CLOSE);
  });

  it.each([
    ['a form', form, 'r1'],
    ['a permission', permission, 't1'],
  ])('HEAR-1: withdrawing %s ends the run', (_, asked, askId) => {
    const { hear, request } = dialogue();
    request('r1', asked);
    expect(hear(result)).not.toContainEqual(CLOSE);
    expect(hear(cancel)).toEqual([{ do: 'emit', event: { kind: 'cancelled', askId } }, CLOSE]);
  });

  it('HEAR-1: withdrawing one of two keeps the run open', () => {
    const { hear, request } = dialogue();
    request('r1', form);
    request('r2', permission);
    hear(result);
    expect(hear(cancel)).not.toContainEqual(CLOSE);
  });
});

describe('HEAR-5: a model that fails while a sub-agent waits for an answer', () => {
  it('HEAR-5: the question stays, and an answer that comes too late for the process is not delivered', () => {
    const { control, hear, request } = dialogue();
    const input = { questions: [{ question: 'Which?' }] };
    const asked = request('r1', { ...permission, tool_name: 'mcp__fermata_run__ask_human', input });
    expect(asked).toMatchObject([{ event: { kind: 'question', ask: { id: 't1' } } }]);
    const failed = {
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 401,
      result: 'No.',
    };
    expect(hear(failed)).toEqual([CLOSE]);
    expect(control.answer('t1', filledIn(asked))).toEqual([
      { do: 'delivered', askId: 't1', delivered: false },
    ]);
  });
});

describe('HEAR-2: a call of ask_human without a question', () => {
  const input = { questions: [] };

  it('HEAR-2: gets a tool result that says so, as every call of a tool does', () => {
    const { request } = dialogue();
    const call = { name: 'ask_human', arguments: input, _meta: { 'claudecode/toolUseId': 't1' } };
    const rpc = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: call };
    const [sent, ...rest] = request('r1', {
      subtype: 'mcp_message',
      server_name: 'fermata_run',
      message: rpc,
    });
    expect(rest).toEqual([]);
    const content = [{ type: 'text', text: expect.stringContaining('The call has no questions') }];
    expect(sent).toMatchObject({
      message: {
        response: { request_id: 'r1', response: { mcp_response: { id: 7, result: { content } } } },
      },
    });
  });

  it('HEAR-2: is denied if it asks for permission first', () => {
    const { request } = dialogue();
    const asked = { ...permission, tool_name: 'mcp__fermata_run__ask_human', input };
    expect(request('r1', asked)).toMatchObject([
      { message: { response: { response: { behavior: 'deny' } } } },
    ]);
  });
});

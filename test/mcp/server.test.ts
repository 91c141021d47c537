import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/index.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { hello, serveMcp } from './support/serve.ts';

describe('CLI-mcp', () => {
  test('report_progress adds to the chat of the task, or without a task a notice that needs no answer', async () => {
    const place = { cwd: freshFolder() };
    const { call, cwd, env } = serveMcp([], place);
    const report = async (to: typeof call, message: string) =>
      (await to('tools/call', { name: 'report_progress', arguments: { message } })).result;
    await call('initialize', hello);
    expect(await report(call, 'The tests are next.')).toEqual({
      content: [{ type: 'text', text: 'The person will see it.' }],
      structuredContent: { shownIn: 'notice' },
    });
    expect(await report(call, '')).toMatchObject({ isError: true });
    const ledger = await openLedger(join(env.FERMATA_HOME, 'ledger.db'));
    onTestFinished(() => ledger.close());
    const [notice] = (await ledger.notifications.list({ status: ['recorded'] })).notifications;
    expect(notice).toMatchObject({ questions: [{ text: 'The tests are next.' }] });
    expect((await fermata(['tasks', 'add', 'Log in', '--id', 'login'], { cwd, env })).code).toBe(0);
    const onTask = serveMcp(['--task', 'login'], place);
    await onTask.call('initialize', hello);
    await report(onTask.call, 'The tests pass.');
    const chat = await ledger.tasks.chat(notice?.projectId ?? '', 'login');
    expect(chat).toMatchObject([{ text: 'The tests pass.', by: { actor: { kind: 'agent' } } }]);
  });

  test('a missing task is reported at the start, before a client relies on it', async () => {
    const at = { cwd: freshFolder() };
    const { code, stdout, stderr } = await fermata(['mcp', '--task', 'nope'], at);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('There is no task nope in this project. "fermata tasks list" shows them.');
  });

  test('DRV-4 introduces itself, and lists its tools with schemas; ask_human stores the question, waits for a person, and returns the answer to the model', async () => {
    const { call, asked, answer } = serveMcp();
    expect((await call('initialize', hello)).result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'fermata' },
      capabilities: { tools: {} },
    });
    const { tools } = (await call('tools/list')).result;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'ask_human',
      'permission',
      'list_questions',
      'get_answer',
      'report_progress',
    ]);
    expect(tools[0].inputSchema).toMatchObject({ type: 'object', required: ['question'] });
    expect((await call('ping')).result).toEqual({});

    const asking = call('tools/call', {
      name: 'ask_human',
      arguments: { question: 'Which?', options: ['A', { label: 'B' }], recommended: 'B' },
    });
    const open = await asked();
    expect(open).toMatchObject({
      source: 'execute',
      resume: { agent: 'a-client' },
      createdBy: { actor: { kind: 'agent' }, channel: 'mcp' },
      questions: [{ text: 'Which?', options: [{ label: 'A' }, { label: 'B' }], recommended: 'B' }],
    });
    expect(
      (await call('tools/call', { name: 'list_questions', arguments: {} })).result.content[0].text,
    ).toContain(open.id);
    expect((await answer(open.id, '2')).code).toBe(0);
    expect((await asking).result).toEqual({
      content: [{ type: 'text', text: 'B' }],
      structuredContent: { answer: 'B', outcome: 'answered', id: open.id },
    });
    // It is recorded as delivered once the reply is written, a moment after the client has it.
    const later = async () => {
      const { result } = await call('tools/call', { name: 'get_answer', arguments: { id: open.id } });
      return JSON.parse(result.content[0].text);
    };
    await expect.poll(later).toMatchObject({ status: 'delivered', outcome: 'answered' });
  });

  test("DRV-4 RUN-1 the task of a run's agent waits, and stays with the run", async () => {
    const cwd = freshFolder();
    const FERMATA_HOME = join(cwd, '..', 'home');
    await fermata(['tasks', 'add', 'Log in', '--id', 'login'], { cwd, env: { FERMATA_HOME } });
    const ledger = await openLedger(join(FERMATA_HOME, 'ledger.db'));
    onTestFinished(() => ledger.close());
    const [project] = await ledger.projects.list();
    const projectId = project?.id ?? '';
    const by = { actor: { kind: 'person', name: 'ann' }, channel: 'command' } as const;
    const { fence } = await ledger.tasks.claim(projectId, 'login', { worker: 'run', leaseSeconds: 600 }, by);
    const agent = { FERMATA_AGENT: 'claude', FERMATA_TASK: 'login', FERMATA_FENCE: String(fence) };
    const { call, asked, answer } = serveMcp([], { cwd, FERMATA_HOME, ...agent });
    await call('initialize', hello);
    const asking = call('tools/call', { name: 'ask_human', arguments: { question: 'Which?' } });
    const { id, sourceId } = await asked();
    expect(sourceId).toBe('login');
    expect(await ledger.tasks.get(projectId, 'login')).toMatchObject({ status: 'blocked', fence });
    await answer(id, 'B');
    await asking;
    expect(await ledger.tasks.get(projectId, 'login')).toMatchObject({
      status: 'in_progress',
      assignee: 'run',
      fence,
    });
  });

  test('DRV-4 the permission tool answers AskUserQuestion, and asks for approval of other tools', async () => {
    const { call, asked, answer } = serveMcp();
    await call('initialize', hello);
    const questions = [
      {
        question: 'Which language?',
        header: 'L',
        multiSelect: true,
        options: [{ label: 'Rust' }, { label: 'Zig' }],
      },
    ];
    const asking = call('tools/call', {
      name: 'permission',
      arguments: { tool_name: 'AskUserQuestion', input: { questions }, tool_use_id: 'toolu_1' },
    });
    const open = await asked();
    expect(open.resume).toMatchObject({ toolCallId: 'toolu_1' });
    await answer(open.id, '1,2');
    expect(JSON.parse((await asking).result.content[0].text)).toEqual({
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Which language?': 'Rust, Zig' } },
    });
    const permitting = call('tools/call', {
      name: 'permission',
      arguments: { tool_name: 'Bash', input: { command: 'rm -rf build' } },
    });
    const approval = await asked();
    expect(approval).toMatchObject({
      source: 'approval',
      questions: [{ verbatim: [{ label: 'command', text: 'rm -rf build' }] }],
    });
    await answer(approval.id, 'no');
    expect(JSON.parse((await permitting).result.content[0].text)).toMatchObject({ behavior: 'deny' });
  });

  test('HEAR-10 a cancelled call gets no response, as the standard demands; its question is withdrawn, or stays open if the client only stopped waiting', async () => {
    const { client, call, asked, stored } = serveMcp();
    await call('initialize', hello);
    const outcomes = [
      [undefined, 'open', undefined],
      ['AbortError: remote-cancel', 'delivered', 'withdrawn'],
      ['McpError: MCP error -32001: Request timed out', 'open', undefined],
      ['SdkError: Request timed out', 'open', undefined],
      ['context deadline exceeded', 'open', undefined],
    ];
    for (const [reason, status, outcome] of outcomes) {
      const text = `Cancelled with ${reason}?`;
      const params = { name: 'ask_human', arguments: { question: text } };
      client.send({ jsonrpc: '2.0', id: text, method: 'tools/call', params });
      const { id } = await asked(text);
      client.send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: text, reason },
      });
      expect((await call('ping')).result).toEqual({});
      await expect
        .poll(
          async () => {
            const row = await stored(id);
            return [row.status, row.outcome];
          },
          { message: text },
        )
        .toEqual([status, outcome]);
      expect(client.messages.filter((message) => message.id === text)).toEqual([]);
    }
  });

  test('the caller gets an error for invalid input, which never ends the server; an approval too large to show in full is refused, and the agent learns why (BIND-11)', async () => {
    const { client, call } = serveMcp();
    client.send('not a message' as never);
    expect((await client.message((message) => message.id === null)).error).toEqual({
      code: -32600,
      message: 'This is not a JSON-RPC 2.0 message.',
    });
    client.send({ jsonrpc: '2.0', id: 'readable', method: 'ping', params: [] });
    expect((await client.message(({ id }) => id === 'readable')).error.code).toBe(-32600);
    expect((await call('initialize', { ...hello, protocolVersion: 5 })).error).toEqual({
      code: -32602,
      message: expect.stringMatching(/^initialize needs a protocolVersion/),
    });
    expect((await call('no/such')).error.code).toBe(-32601);
    expect((await call('tools/call', { name: 'nope' })).error.message).toContain('nope');
    const wrong = (await call('tools/call', { name: 'ask_human', arguments: {} })).result;
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.content[0].text).toMatch(/^ask_human, field question: /);
    const input = { file_path: 'a.txt', content: 'x'.repeat(1024 * 1024) };
    const refused = await call('tools/call', {
      name: 'permission',
      arguments: { tool_name: 'Write', input },
    });
    expect(JSON.parse(refused.result.content[0].text)).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/has 10\d{5} bytes, and Fermata can show a person at most 983040/),
    });
    expect(await client.end()).toEqual({ code: 0, signal: null });
  });

  test.each([
    [
      '2025-03-26',
      [
        ['a', undefined],
        ['b', -32600],
        ['c', undefined],
      ],
    ],
    ['2025-06-18', [[null, -32600]]],
  ])(
    'a batch at version %s is accepted only if that version has batches',
    async (protocolVersion, expected) => {
      const { client, call } = serveMcp();
      await call('initialize', { ...hello, protocolVersion });
      const ping = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' });
      client.send([ping('a'), { ...ping('b'), params: [] }, ping('c')]);
      await call('ping');
      const replies = client.messages.filter(({ id }) => typeof id !== 'number');
      expect(replies.map(({ id, error }) => [id, error?.code]).sort()).toEqual(expected);
    },
  );
});

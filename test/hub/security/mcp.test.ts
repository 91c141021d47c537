import { describe, expect, it } from 'vitest';
import { eachStoreInLong } from '../../ledger/support/stores.ts';
import { request, sessionOf, type TestHub } from '../support/hub.ts';
import { send } from '../support/raw.ts';
import { startHubOn, tokenFor } from '../support/start.ts';

interface Call {
  tool?: string;
  args?: object;
  /** The client's capabilities, and a person's answer to a form. */
  capabilities?: object;
  inputResponses?: object;
  signal?: AbortSignal;
}

/** One call of a tool at protocol version 2026-07-28; `result` waits for its end. */
async function callTool(hub: TestHub, at: string, token: string, call: Call = {}) {
  const { tool = 'ask_human', args = { question: 'Which?' }, capabilities = {}, inputResponses } = call;
  const _meta = {
    progressToken: 'p',
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const params = { name: tool, arguments: args, _meta, ...(inputResponses ? { inputResponses } : {}) };
  const response = await fetch(`${hub.url}${at}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: call.signal ?? null,
  });
  const messages = async () =>
    (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
  return { status: response.status, result: async () => (await messages()).at(-1)?.result, messages };
}

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const forms = { elicitation: { form: {} } };
const reply = { answer: { action: 'accept', content: { q1: 'From the form' } } };

eachStoreInLong((store) => {
  describe('MCP on the hub (HUB-3)', () => {
    const openQuestion = async (hub: TestHub, at: string) => {
      const open = async () => (await hub.get(`${at}/notifications`)).body.data[0];
      await expect.poll(open).toBeDefined();
      return open();
    };

    it('needs a token for the project; pages and other methods are refused', async () => {
      const { hub, at, ledger } = await startHubOn(store);
      const elsewhere = await tokenFor(hub, 'agent', await store.project(ledger));
      const post = (headers: Record<string, string>, body: unknown = initialize) =>
        request(`${hub.url}${at}/mcp`, 'POST', body, headers);
      const own = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' };
      expect((await post({})).status).toBe(401);
      expect((await post(elsewhere.headers)).status).toBe(404);
      expect((await hub.call('POST', '/projects/p-none/mcp', initialize)).status).toBe(404);
      const session = sessionOf(await hub.call('POST', '/session', { token: hub.token }));
      expect((await post({ ...session, origin: hub.url })).body.error.message).toContain('MCP needs a token');
      expect(await send(hub, `${at}/mcp`, { ...own, origin: 'https://evil.example' }, 'POST')).toBe(403);
      expect(await send(hub, `${at}/mcp`, { ...own, host: 'evil.example' }, 'POST')).toBe(403);
      for (const method of ['GET', 'DELETE']) expect((await hub.call(method, `${at}/mcp`)).status).toBe(405);
      expect(await post(own, '{')).toMatchObject({
        status: 400,
        body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringMatching(/JSON/) } },
      });
      expect((await post(own, '['.repeat(1000))).status).toBe(400);
      expect((await post(own, `"${'x'.repeat(3 * 1024 * 1024)}"`)).status).toBe(413);
      expect((await post({ ...own, 'content-type': 'text/plain' })).status).toBe(415);
    });

    it("an agent's token asks and reads its own answers; it cannot answer in a form, nor read the answers of others", async () => {
      const { hub, at } = await startHubOn(store);
      const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      const shown = await callTool(hub, at, agent.secret, { capabilities: forms, inputResponses: reply });
      const { id, status, createdBy } = await openQuestion(hub, at);
      expect({ status, createdBy }).toEqual({
        status: 'open',
        createdBy: { actor: { kind: 'agent', name: agent.name }, channel: 'rest' },
      });
      const answer = { responses: [{ questionId: 'q1', answer: 'From a person' }] };
      expect((await hub.call('PATCH', `${at}/notifications/${id}`, answer)).status).toBe(200);
      const [progress, last] = await shown.messages();
      expect(progress.params.message).toContain(id);
      expect(last.result.structuredContent).toEqual({ answer: 'From a person', outcome: 'answered', id });
      const read = { tool: 'get_answer', args: { id } };
      expect(await (await callTool(hub, at, other.secret, read)).result()).toMatchObject({
        isError: true,
        content: [{ text: `You have no question ${id}. Call list_questions to see yours.` }],
      });
      expect(await (await callTool(hub, at, agent.secret, read)).result()).toMatchObject({
        structuredContent: { id, responses: [{ answer: 'From a person' }] },
      });
    });

    it('another agent that asked the same under its name first does not read the answer', async () => {
      const { hub, at } = await startHubOn(store);
      const [agent, spy] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      const planted = {
        source: 'execute',
        sourceId: `mcp-${agent.id}`,
        questions: [{ text: 'Which?' }],
      };
      expect((await hub.call('POST', `${at}/notifications`, planted, spy.headers)).status).toBe(201);
      expect(await (await callTool(hub, at, agent.secret)).result()).toMatchObject({ isError: true });
    });

    it("a person's token asks as an agent, and the person may answer in the client's form", async () => {
      const { hub, at } = await startHubOn(store);
      const shown = await (await callTool(hub, at, hub.token, { capabilities: forms })).result();
      expect(shown).toMatchObject({
        resultType: 'input_required',
        inputRequests: { answer: { method: 'elicitation/create' } },
      });
      const filled = { capabilities: forms, inputResponses: reply };
      expect(await (await callTool(hub, at, hub.token, filled)).result()).toMatchObject({
        structuredContent: { answer: 'From the form', outcome: 'answered' },
      });
      const { data } = (await hub.get(`${at}/notifications?status=all`)).body;
      expect(data).toMatchObject([
        { createdBy: { actor: { kind: 'agent' } }, resolvedBy: { actor: { kind: 'person', name: 'ann' } } },
      ]);
    });

    it('revoking the token ends its calls and withdraws its questions', async () => {
      const { hub, at } = await startHubOn(store);
      const agent = await tokenFor(hub, 'agent');
      const waiting = await callTool(hub, at, agent.secret);
      const { id } = await openQuestion(hub, at);
      expect((await hub.call('DELETE', `/tokens/${agent.id}`)).status).toBe(200);
      await waiting.messages();
      expect((await hub.get(`${at}/notifications/${id}`)).body.data.outcome).toBe('withdrawn');
    });

    it('refuses too many calls at once; a call whose client is gone does not count, and its question stays open', async () => {
      const { hub, at } = await startHubOn(store, { limits: { mcpCallsPerToken: 1 } });
      const { secret } = await tokenFor(hub, 'agent');
      const gone = new AbortController();
      const first = await callTool(hub, at, secret, { signal: gone.signal });
      const { id } = await openQuestion(hub, at);
      expect((await callTool(hub, at, secret)).status).toBe(503);
      first.messages().catch(() => undefined);
      gone.abort();
      const list = { tool: 'list_questions', args: {} };
      const listed = async () => (await callTool(hub, at, secret, list)).status;
      await expect.poll(listed).toBe(200);
      expect((await hub.get(`${at}/notifications/${id}`)).body.data.status).toBe('open');
    });

    it('a cancellation that may mean several calls ends none, and no answer counts as delivered (HEAR-10)', async () => {
      const { hub, at } = await startHubOn(store);
      const [agent, other] = [await tokenFor(hub, 'agent'), await tokenFor(hub, 'agent')];
      const post = (body: unknown, headers = agent.headers) =>
        request(`${hub.url}${at}/mcp`, 'POST', body, {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        });
      const cancel = (requestId: unknown) => ({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'interrupted' },
      });
      const answer = (id: string) =>
        hub.call('PATCH', `${at}/notifications/${id}`, { responses: [{ questionId: 'q1', answer: 'Yes' }] });
      const stored = async (id: string) => (await hub.get(`${at}/notifications/${id}`)).body.data;

      const both = [await callTool(hub, at, agent.secret), await callTool(hub, at, agent.secret)];
      const { id } = await openQuestion(hub, at);
      expect((await post(cancel(1))).status).toBe(202);
      await answer(id);
      for (const { result } of both) expect((await result()).structuredContent.answer).toBe('Yes');
      expect((await stored(id)).status).toBe('answered');
      expect((await (await callTool(hub, at, agent.secret)).result()).structuredContent.id).toBe(id);

      const batch = post([
        { jsonrpc: '2.0', id: 2, method: 'ping' },
        {
          jsonrpc: '2.0',
          id: 3,
          method: 'tools/call',
          params: { name: 'ask_human', arguments: { question: 'In a batch?' } },
        },
      ]);
      const batched = await openQuestion(hub, at);
      expect((await post(cancel(3))).status).toBe(202);
      await answer(batched.id);
      expect((await batch).body).toContain('"answer":"Yes"');
      expect((await stored(batched.id)).status).toBe('answered');

      const own = await callTool(hub, at, agent.secret, { args: { question: 'Mine?' } });
      const mine = await openQuestion(hub, at);
      expect((await post(cancel(1), other.headers)).status, "another token's").toBe(202);
      expect((await post(cancel('1'))).status, 'another id').toBe(202);
      await answer(mine.id);
      expect((await own.result()).structuredContent.id).toBe(mine.id);
      await expect.poll(async () => (await stored(mine.id)).status).toBe('delivered');

      const later = await callTool(hub, at, agent.secret, { args: { question: 'Later?' } });
      const next = await openQuestion(hub, at);
      expect((await post(cancel(1))).status, 'late, for the call before').toBe(202);
      await answer(next.id);
      expect((await later.result()).structuredContent.answer).toBe('Yes');
      expect((await stored(next.id)).status).toBe('answered');
    });
  });
});

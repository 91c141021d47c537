import { describe, expect, test } from 'vitest';
import { hello, serveMcp } from './support/serve.ts';

const withForms = { ...hello, capabilities: { elicitation: {} } };
const question = { question: 'Which?', options: [{ label: 'A' }, { label: 'B', description: 'small' }] };

/** A server whose client shows forms. */
async function serveForms() {
  const server = serveMcp();
  await server.call('initialize', withForms);
  return server;
}

/** Asks, and waits until the client is shown the form. */
async function asksInClient(server: ReturnType<typeof serveMcp>, asked: object = question) {
  const forms = () => server.client.messages.filter(({ method }) => method === 'elicitation/create');
  const shown = forms();
  const asking = server.call('tools/call', { name: 'ask_human', arguments: asked });
  const open = await server.asked();
  const form = await server.client.message(
    (message) => forms().includes(message) && !shown.includes(message),
  );
  const reply = (result: object) => server.client.send({ jsonrpc: '2.0', id: form.id, result });
  return { asking, open, form, reply };
}

const textOf = async (asking: Promise<{ result?: unknown }>) =>
  ((await asking).result as { content: { text: string }[] }).content[0]?.text;

describe('CLI-mcp a client that shows forms (LED-2, CHAN-2)', () => {
  test("is one more place to answer: the answer is a person's, and reaches the model", async () => {
    const server = await serveForms();
    const { asking, open, form, reply } = await asksInClient(server);
    const [name = ''] = Object.keys(form.params.requestedSchema.properties);
    expect(form.params.requestedSchema.properties[name]).toMatchObject({
      type: 'string',
      oneOf: [{ const: 'A' }, { const: 'B', title: expect.stringContaining('small') }],
    });
    reply({ action: 'accept', content: { [name]: 'B' } });
    expect(await textOf(asking)).toBe('B');
    // It is marked as delivered once the client has it.
    await expect
      .poll(() => server.stored(open.id))
      .toMatchObject({
        status: 'delivered',
        resolvedBy: { actor: { kind: 'person' }, channel: 'mcp' },
      });
  });

  test('is offered two to four options without a blank, and the others in words (BIND-17)', async () => {
    const server = await serveForms();
    const options = ['A', 'B', 'With these: …', 'C', 'D', 'E'];
    const { asking, form, reply } = await asksInClient(server, { question: 'Which?', options });
    const { message, requestedSchema } = form.params;
    const [name = ''] = Object.keys(requestedSchema.properties);
    const offered = requestedSchema.properties[name].oneOf.map((each: { const: string }) => each.const);
    expect([offered, message]).toEqual([['A', 'B', 'C', 'D'], 'Also possible: E']);
    reply({ action: 'accept', content: { [name]: 'D' } });
    expect(await textOf(asking)).toBe('D');
  });

  test('learns that somebody answered first elsewhere, and its late answer changes nothing', async () => {
    const server = await serveForms();
    const { asking, open, form, reply } = await asksInClient(server);
    expect((await server.answer(open.id, 'A')).code).toBe(0);
    expect(await textOf(asking)).toBe('A');
    await server.client.message(
      ({ method, params }) => method === 'notifications/cancelled' && params.requestId === form.id,
    );
    reply({ action: 'accept', content: { q1: 'B' } });
    expect((await server.call('ping')).result).toEqual({});
    expect(await server.stored(open.id)).toMatchObject({ responses: [{ answer: 'A' }] });
  });

  test('one that does not fill in the form answers nothing: the question stays open for all others; a cancelled call withdraws its form', async () => {
    const server = await serveForms();
    const responses = {
      'it closes the form': { result: { action: 'cancel' } },
      'it declines, or has nobody to show it to': { result: { action: 'decline' } },
      'it sends an empty form': { result: { action: 'accept', content: {} } },
      'it sends a field that was not asked': { result: { action: 'accept', content: { x: 1 } } },
      'it sends no result': { result: 'what?' },
      'it cannot show it': { error: { code: -32601, message: 'no' } },
    };
    for (const [what, response] of Object.entries(responses)) {
      const { asking, open, form } = await asksInClient(server, { ...question, question: `If ${what}?` });
      server.client.send({ jsonrpc: '2.0', id: form.id, ...response });
      expect((await server.call('ping')).result).toEqual({});
      expect(await server.stored(open.id), what).toMatchObject({ status: 'open', responses: [] });
      expect((await server.answer(open.id, 'A')).code, what).toBe(0);
      expect(await textOf(asking), what).toBe('A');
    }

    const requestId = server.nextId();
    const { asking, form } = await asksInClient(server, { ...question, question: 'If it is cancelled?' });
    asking.catch(() => undefined); // a cancelled call has no response
    server.client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    await server.client.message(
      ({ method, params }) => method === 'notifications/cancelled' && params.requestId === form.id,
    );
    expect((await server.call('ping')).result).toEqual({});
  });

  test.each([
    ['an agent that we started', 'claude', withForms],
    ['one that shows no forms', undefined, hello],
    ['one that only opens addresses', undefined, { ...hello, capabilities: { elicitation: { url: {} } } }],
  ])(
    '%s is shown no form, because no agent may answer its own question (HUB-3)',
    async (_, FERMATA_AGENT, params) => {
      const server = serveMcp([], FERMATA_AGENT === undefined ? {} : { FERMATA_AGENT });
      await server.call('initialize', params);
      const asking = server.call('tools/call', { name: 'ask_human', arguments: question });
      const open = await server.asked();
      // A value that nobody asked for is not an answer either.
      server.client.send({
        jsonrpc: '2.0',
        id: 'fermata-1',
        result: { action: 'accept', content: { q1: 'B' } },
      });
      expect((await server.call('ping')).result).toEqual({});
      expect(await server.stored(open.id)).toMatchObject({ status: 'open' });
      await server.answer(open.id, 'A');
      expect(await textOf(asking)).toBe('A');
      expect(server.client.messages.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
    },
  );
});

import { describe, expect, test } from 'vitest';
import { hello, serveMcp } from './support/serve.ts';

type Server = ReturnType<typeof serveMcp>;

const ask = (question: string) => ({ name: 'ask_human', arguments: { question } });

const textOf = async (reply: ReturnType<Server['call']>): Promise<string> =>
  (await reply).result.content[0].text;

/** Asks without waiting for the answer. */
const begin = ({ client }: Server, question: string, more = {}) =>
  client.send({ jsonrpc: '2.0', id: question, method: 'tools/call', params: { ...ask(question), ...more } });

const giveUp = ({ client }: Server, requestId: string) =>
  client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** Asks, is answered, and receives the answer. */
async function answered(server: Server, question: string, value: string): Promise<string> {
  const reply = server.call('tools/call', ask(question));
  const { id } = await server.asked(question);
  await server.answer(id, value);
  expect(await textOf(reply)).toBe(value);
  await expect.poll(async () => (await server.stored(id)).status).toBe('delivered');
  return id;
}

describe('CLI-mcp answered questions are not asked again', () => {
  test('a server that takes the place of one that was killed gives the recorded answers (BIND-3)', async () => {
    const first = serveMcp();
    await first.call('initialize', hello);
    const id = await answered(first, 'Which?', 'this');
    begin(first, 'And now?');
    const open = await first.asked('And now?');
    await first.client.kill('SIGKILL');
    await first.answer(open.id, 'that');

    const second = serveMcp([], { cwd: first.cwd });
    await second.call('initialize', hello);
    expect(await textOf(second.call('tools/call', ask('Which?')))).toBe('this');
    expect(await textOf(second.call('tools/call', ask('And now?')))).toBe('that');
    const listed = await textOf(second.call('tools/call', { name: 'list_questions', arguments: {} }));
    expect(JSON.parse(listed)).toMatchObject([
      { id, responses: [{ answer: 'this' }] },
      { id: open.id, responses: [{ answer: 'that' }] },
    ]);
    begin(second, 'Which?');
    expect((await second.asked('Which?')).id).not.toBe(id);
  });

  test('after a client that ended cleanly, also by SIGTERM or SIGINT, a person is asked (BIND-3)', async () => {
    let server = serveMcp();
    await server.call('initialize', hello);
    let id = await answered(server, 'Which?', 'this');
    for (const signal of ['SIGTERM', 'SIGINT', undefined] as const) {
      await (signal ? server.client.kill(signal) : server.client.end());
      server = serveMcp([], { cwd: server.cwd });
      await server.call('initialize', hello);
      const again = await answered(server, 'Which?', 'this');
      expect(again, `after ${signal}`).not.toBe(id);
      id = again;
    }
  });

  test('a call that the client gave up on has reported its id, and the answer can be read later, once, or by asking again (BIND-3)', async () => {
    const server = serveMcp();
    await server.call('initialize', hello);
    begin(server, 'Which?', { _meta: { progressToken: 'p' } });
    const { id } = await server.asked();
    const progress = await server.client.message(({ method }) => method === 'notifications/progress');
    expect(progress.params.message).toContain(id);
    giveUp(server, 'Which?');
    expect((await server.call('ping')).result).toEqual({});
    await server.answer(id, 'this');
    const got = await textOf(server.call('tools/call', { name: 'get_answer', arguments: { id } }));
    expect(JSON.parse(got)).toMatchObject({ id, responses: [{ answer: 'this' }] });
    await expect.poll(async () => (await server.stored(id)).status).toBe('delivered');

    begin(server, 'And now?');
    const { id: later } = await server.asked();
    giveUp(server, 'And now?');
    expect((await server.call('ping')).result).toEqual({});
    await server.answer(later, 'that');
    expect(await textOf(server.call('tools/call', ask('And now?'))), 'asked again').toBe('that');
  });
});

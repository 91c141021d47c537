import { describe, expect, it, onTestFinished } from 'vitest';
import { functionCall, message, reasoning, USAGE } from './openai-reply.ts';
import { functionOutput, userTexts } from './openai-request.ts';
import { type OpenAiServer, startOpenAi } from './openai-responses.ts';
import { drop, httpError } from './script.ts';

const TOOLS = [{ type: 'function', name: 'ask_human' }, { type: 'web_search' }];
const said = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

describe('DRV-7: the scripted OpenAI Responses API', () => {
  it('streams each item in pieces that make it whole again, and the usage', async () => {
    const args = { question: '¿Qué? 🤷 '.repeat(20) };
    const words = 'One moment … '.repeat(20);
    const model = await start([
      [reasoning('Hm.'), message(words), functionCall('call_1', 'ask_human', args)],
    ]);
    const events = await streamed(await post(model, [said('Hi.')]));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
    const joined = (type: string) =>
      events
        .filter((event) => event.type === type)
        .map(({ delta }) => delta)
        .join('');
    expect(joined('response.output_text.delta')).toBe(words);
    expect(JSON.parse(joined('response.function_call_arguments.delta'))).toEqual(args);
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(done[2]).toMatchObject({ call_id: 'call_1', name: 'ask_human', arguments: JSON.stringify(args) });
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed', output: done, usage: USAGE },
    });
  });

  it('logs what was sent: who said what, the tools, the output of a call', async () => {
    const model = await start([message('Done.')]);
    await post(model, [
      said('Hi.'),
      { type: 'function_call', call_id: 'a', name: 'ask_human', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'ask_human', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'Rust' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'Zig' }] },
    ]);
    expect(functionOutput(model.requests, 'a')).toBe('Rust');
    expect(functionOutput(model.requests, 'b')).toBe('Zig');
    expect(functionOutput(model.requests, 'c')).toBeUndefined();
    const [request] = model.requests;
    expect(request).toMatchObject({ model: 'some-model', tools: ['ask_human', 'web_search'] });
    expect(request && userTexts(request)).toEqual(['Hi.']);
  });

  it.each([
    ['a call without an output', { type: 'function_call', call_id: 'a' }, 'No tool output found for'],
    ['an output without a call', { type: 'function_call_output', call_id: 'a' }, 'No tool call found for'],
  ])('refuses %s, as the real API does', async (_, item, reason) => {
    const model = await start([message('Done.')]);
    expect((await post(model, [said('Hi.'), item])).status).toBe(400);
    expect(model.refused).toEqual([expect.stringContaining(reason)]);
  });

  it('a request without tools gets its own answer and does not advance the script', async () => {
    const model = await start([message('First.')]);
    expect(await (await post(model, [said('A title?')], [])).text()).toContain('"ok"');
    expect(await (await post(model, [said('Hi.')])).text()).toContain('First.');
    expect(model.auxiliary.map(userTexts)).toEqual([['A title?']]);
  });

  it('fails as scripted: an error, a dead connection, half an answer', async () => {
    const model = await start([httpError(500, 'server_error', 'Oh.'), drop(), drop(message('Half.'))]);
    const error = await post(model, [said('Hi.')]);
    expect([error.status, await error.json()]).toEqual([
      500,
      { error: { type: 'server_error', message: 'Oh.' } },
    ]);
    await expect(post(model, [said('Hi.')])).rejects.toThrow();
    await expect((await post(model, [said('Hi.')])).text()).rejects.toThrow();
  });
});

async function start(script: Parameters<typeof startOpenAi>[0]): Promise<OpenAiServer> {
  const model = await startOpenAi(script);
  onTestFinished(() => model.stop());
  return model;
}

function post({ url }: OpenAiServer, input: object[], tools: object[] = TOOLS): Promise<Response> {
  const body = { model: 'some-model', stream: true, instructions: '', tools, input };
  return fetch(`${url}/v1/responses`, { method: 'POST', body: JSON.stringify(body) });
}

// biome-ignore lint/suspicious/noExplicitAny: events of many shapes
async function streamed(response: Response): Promise<any[]> {
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)));
}

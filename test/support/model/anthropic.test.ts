import { request as httpRequest } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AnthropicServer, startAnthropic } from './anthropic.ts';
import { text, thinking, toolUse } from './anthropic-reply.ts';
import { toolResult, userTexts } from './anthropic-request.ts';
import { delay, drop, httpError } from './script.ts';

const TOOLS = [{ name: 'AskUserQuestion', description: '', input_schema: { type: 'object' } }];
const said = (words: string) => ({ role: 'user', content: words });

describe('DRV-7: the scripted Anthropic Messages API', () => {
  it('streams each block in pieces that make it whole again', async () => {
    const input = { questions: [{ question: '¿Qué? 🤷 '.repeat(20) }] };
    const model = await start([
      [thinking('Hm. 🤔'), text('Two … '.repeat(30)), toolUse('toolu_1', 'Ask', input)],
    ]);
    const events = await streamed(await post(model, [said('Hi.')]));
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['message_start', 'ping']));
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
    const joined = (key: string) => events.map(({ delta }) => delta?.[key] ?? '').join('');
    expect(joined('thinking')).toBe('Hm. 🤔');
    expect(joined('text')).toBe('Two … '.repeat(30));
    expect(JSON.parse(joined('partial_json'))).toEqual(input);
    const starts = events.filter(({ type }) => type === 'content_block_start');
    expect(starts.map(({ index, content_block }) => [index, content_block.type])).toEqual([
      [0, 'thinking'],
      [1, 'text'],
      [2, 'tool_use'],
    ]);
  });

  it('answers in one piece on request, and serves the requests around a conversation', async () => {
    const model = await start([text('Hello.')]);
    const whole = await post(model, [said('Hi.')], { stream: false });
    expect(await whole.json()).toMatchObject({
      type: 'message',
      model: 'some-model',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
    });
    const count = await fetch(`${model.url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
    expect(await count.json()).toEqual({ input_tokens: 100 });
    expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(200);
    expect(await (await fetch(`${model.url}/v1/models`)).json()).toMatchObject({ data: [] });
    expect((await fetch(`${model.url}/v1/else`)).status).toBe(404);
  });

  it('a request without tools gets its own answer and does not advance the script', async () => {
    const model = await start([text('First.'), text('Second.')]);
    const replies: string[] = [];
    for (const tools of [TOOLS, [], TOOLS]) {
      const { content } = (await (await post(model, [said('Hi.')], { stream: false, tools })).json()) as {
        content: { text: string }[];
      };
      replies.push(content[0]?.text ?? '');
    }
    expect(replies).toEqual(['First.', 'ok', 'Second.']);
    expect([model.requests.length, model.auxiliary.length]).toEqual([2, 1]);
  });

  it('the script may be a function of the request, and may be slow', async () => {
    const model = await start(async (request, index) => text(`${index}: ${userTexts(request).at(-1)}`));
    const second = model.request(2);
    await post(model, [said('One.')]);
    const reply = await post(model, [said('Two.')], { stream: false });
    expect(await reply.json()).toMatchObject({ content: [{ text: '1: Two.' }] });
    expect(userTexts(await second)).toEqual(['Two.']);
  });

  it('finds the result of a tool call, whether it was sent as text or as blocks', async () => {
    const model = await start([text('Done.')]);
    await post(model, [
      said('Hi.'),
      { role: 'assistant', content: [toolUse('a', 'Ask', {}), toolUse('b', 'Ask', {})] },
      { role: 'system', content: 'A reminder.' },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'Rust' },
          { type: 'tool_result', tool_use_id: 'b', content: [text('No.'), text('Go.')], is_error: true },
          text('And this.'),
        ],
      },
    ]);
    expect(toolResult(model.requests, 'a')).toEqual({ text: 'Rust', isError: false });
    expect(toolResult(model.requests, 'b')).toEqual({ text: 'No.\nGo.', isError: true });
    expect(toolResult(model.requests, 'c')).toBeUndefined();
    expect(model.requests.map(userTexts)).toEqual([['Hi.', 'And this.']]);
  });

  it.each([
    ['a call that nobody answered', [toolUse('a', 'Ask', {})], [text('Go on.')]],
    ['an answer that nobody asked for', [text('Hm.')], [{ type: 'tool_result', tool_use_id: 'a' }]],
  ])('refuses %s, as the real API does', async (_, assistant, user) => {
    const model = await start([text('Done.')]);
    const reply = await post(model, [
      said('Hi.'),
      { role: 'assistant', content: assistant },
      { role: 'user', content: user },
    ]);
    expect(reply.status).toBe(400);
    expect(model.refused).toEqual([expect.stringMatching(/messages\.2 .*: a$/)]);
    expect(model.requests).toEqual([]);
  });

  it('fails as scripted: an error, a dead connection, half an answer, a late one', async () => {
    const model = await start([
      httpError(529, 'overloaded_error', 'Busy.', { 'retry-after': '0' }),
      drop(),
      drop(text('Half of it.')),
      delay(30, text('Late.')),
    ]);
    const busy = await post(model, [said('Hi.')]);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([529, '0']);
    expect(await busy.json()).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Busy.' },
    });
    await expect(post(model, [said('Hi.')])).rejects.toThrow();
    const half = await post(model, [said('Hi.')]);
    await expect(half.text()).rejects.toThrow();
    const late = await streamed(await post(model, [said('Hi.')]));
    expect(late.at(-1)).toEqual({ type: 'message_stop' });
  });

  it('reports the end of the script, or an error in it, which also fails the test when it stops', async () => {
    const over = await start([]);
    const reply = await post(over, [said('Hi.')]);
    expect(reply.status).toBe(402);
    expect(await reply.text()).toContain('the script ends before request 1');
    const broken = await startAnthropic(() => {
      throw new Error('no such reply');
    });
    expect(await (await post(broken, [said('Hi.')])).text()).toContain('no such reply');
    await expect(broken.stop()).rejects.toThrow('no such reply');
  });

  it('as a proxy it connects to nothing, and records the requested address', async () => {
    const model = await start([]);
    const { hostname, port } = new URL(model.url);
    const status = (method: string, path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const call = httpRequest({ hostname, port, method, path });
        call.on('connect', ({ statusCode }) => resolve(statusCode));
        call.on('response', ({ statusCode }) => resolve(statusCode));
        call.on('error', reject).end();
      });
    expect(await status('CONNECT', 'api.example.com:443')).toBe(403);
    expect(await status('GET', 'http://example.com/')).toBe(403);
    expect(model.strays).toEqual(['api.example.com:443', 'http://example.com/']);
  });

  it('limits the size of a body, and stops even if somebody still waits', async () => {
    const model = await start([delay(60_000, text('Never.'))]);
    const large = await fetch(`${model.url}/v1/messages`, { method: 'POST', body: 'x'.repeat(17 << 20) });
    expect(large.status).toBe(413);
    const waiting = post(model, [said('Hi.')]);
    await model.request(1);
    await Promise.all([expect(waiting).rejects.toThrow(), model.stop()]);
    await expect(fetch(model.url)).rejects.toThrow();
  });
});

async function start(script: Parameters<typeof startAnthropic>[0]): Promise<AnthropicServer> {
  const model = await startAnthropic(script);
  onTestFinished(() => model.stop());
  return model;
}

function post({ url }: AnthropicServer, messages: object[], more: object = {}): Promise<Response> {
  const body = { model: 'some-model', max_tokens: 9, stream: true, tools: TOOLS, messages, ...more };
  return fetch(`${url}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
}

// biome-ignore lint/suspicious/noExplicitAny: events of many shapes
async function streamed(response: Response): Promise<any[]> {
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line.startsWith('data: ')).map((line) => JSON.parse(line.slice(6)));
}

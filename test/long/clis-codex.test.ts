import { describe, expect, it, onTestFinished } from 'vitest';
import { type JsonLines, startJsonLines } from '../agents/clis/json-lines.ts';
import { CODEX, realCli } from '../agents/clis/real-cli.ts';
import { codexHome } from '../support/model/cli-home.ts';
import { functionCall, message, reasoning } from '../support/model/openai-reply.ts';
import { functionOutput, userTexts } from '../support/model/openai-request.ts';
import { type OpenAiServer, startOpenAi } from '../support/model/openai-responses.ts';

const ASK_HUMAN = {
  type: 'function',
  name: 'ask_human',
  description: 'Ask the person who gave you this task.',
  inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
};

describe(`DRV-7: the real ${CODEX} and the scripted model`, () => {
  it('the answer to our own tool ask_human arrives under its call id', async ({ skip }) => {
    const codex = await realCli(CODEX, skip);
    const model = await startOpenAi([
      [
        reasoning('Better ask.'),
        message('One moment.'),
        functionCall('call_ask', 'ask_human', { question: 'Which?' }),
      ],
      message('Thank you.'),
    ]);
    const cli = start(codex, [], model);
    await turn(cli, 'Plan the project.', { dynamicTools: [ASK_HUMAN] });

    const ask = await cli.message(({ method }) => method === 'item/tool/call');
    expect(ask.params).toMatchObject({ callId: 'call_ask', arguments: { question: 'Which?' } });
    cli.send({
      id: ask.id,
      result: { contentItems: [{ type: 'inputText', text: 'Rust 🦀' }], success: true },
    });

    const end = await cli.message(({ method }) => method === 'turn/completed');
    expect(end.params.turn).toMatchObject({ status: 'completed', error: null });
    expect(await cli.end()).toEqual({ code: 0, signal: null });
    expect(model.requests).toHaveLength(2);
    expect(functionOutput(model.requests, 'call_ask')).toBe('Rust 🦀');
    expect(model.requests[0]?.tools).toContain('ask_human');
    expect(userTexts(await model.request(1))).toContain('Plan the project.');
    expect(model.requests[1]?.userAgent).toContain('/0.166.0 ');
    expect(model.strays).toEqual([]);
  });

  it('the answer to its own request_user_input arrives too, if that is enabled', async ({ skip }) => {
    const codex = await realCli(CODEX, skip);
    const questions = [
      {
        id: 'language',
        header: 'Language',
        question: 'Which?',
        options: [
          { label: 'Rust', description: 'Fast' },
          { label: 'Zig', description: 'Small' },
        ],
      },
    ];
    const model = await startOpenAi([
      functionCall('call_input', 'request_user_input', { questions }),
      message('Thank you.'),
    ]);
    const cli = start(codex, ['--enable', 'default_mode_request_user_input'], model);
    await turn(cli, 'Plan the project.');

    const ask = await cli.message(({ method }) => method === 'item/tool/requestUserInput');
    expect(ask.params).toMatchObject({ itemId: 'call_input', questions: [{ id: 'language' }] });
    cli.send({ id: ask.id, result: { answers: { language: { answers: ['Zig'] } } } });

    await cli.message(({ method }) => method === 'turn/completed');
    expect(JSON.parse(functionOutput(model.requests, 'call_input') ?? '')).toEqual({
      answers: { language: { answers: ['Zig'] } },
    });
    expect(model.strays).toEqual([]);
  });
});

function start(path: string, args: string[], model: OpenAiServer): JsonLines {
  const home = codexHome(model.url);
  onTestFinished(() => home.remove());
  onTestFinished(() => model.stop());
  return startJsonLines(path, ['app-server', ...args], home);
}

/** Starts a thread and a turn. */
async function turn(cli: JsonLines, words: string, thread: object = {}): Promise<void> {
  const clientInfo = { name: 'fermata-test', title: 'Fermata', version: '0.1.0' };
  const capabilities = { experimentalApi: true, requestAttestation: false };
  cli.send({ id: 1, method: 'initialize', params: { clientInfo, capabilities } });
  await cli.message(({ id }) => id === 1);
  cli.send({ method: 'initialized' });
  const params = { approvalPolicy: 'on-request', sandbox: 'workspace-write', ...thread };
  cli.send({ id: 2, method: 'thread/start', params });
  const started = await cli.message(({ id, result }) => id === 2 && result !== undefined);
  const input = [{ type: 'text', text: words }];
  cli.send({ id: 3, method: 'turn/start', params: { threadId: started.result.thread.id, input } });
}

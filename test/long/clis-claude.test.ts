import { describe, expect, it, onTestFinished } from 'vitest';
import { startJsonLines } from '../agents/clis/json-lines.ts';
import { CLAUDES, realCli } from '../agents/clis/real-cli.ts';
import { type AnthropicServer, startAnthropic } from '../support/model/anthropic.ts';
import { text, thinking, toolUse, USAGE } from '../support/model/anthropic-reply.ts';
import { toolResult, userTexts } from '../support/model/anthropic-request.ts';
import { claudeHome } from '../support/model/cli-home.ts';

const CONTROL = [
  '-p',
  '--verbose',
  ...['--output-format', 'stream-json'],
  ...['--input-format', 'stream-json'],
  ...['--permission-prompt-tool', 'stdio'],
];

const question = (words: string, ...labels: string[]) => ({
  question: words,
  header: 'Choice',
  multiSelect: false,
  options: labels.map((label) => ({ label, description: `${label} it is` })),
});

describe.each(CLAUDES)('DRV-7: the real %s and the scripted model', (name) => {
  it('answers to two questions asked at once arrive under the tool-call id of each', async ({ skip }) => {
    const claude = await realCli(name, skip);
    const model = await startAnthropic([
      [
        thinking('Which one? 🤔'),
        text('I need two decisions.'),
        toolUse('toolu_language', 'AskUserQuestion', { questions: [question('Language?', 'Rust', 'Zig')] }),
        toolUse('toolu_store', 'AskUserQuestion', { questions: [question('Store?', 'Disk', 'Memory')] }),
      ],
      text('Thank you.'),
    ]);
    const cli = start(claude, CONTROL, model);
    cli.send({ type: 'user', message: { role: 'user', content: 'Plan the project.' } });

    const language = await cli.message(({ request }) => request?.tool_use_id === 'toolu_language');
    const store = await cli.message(({ request }) => request?.tool_use_id === 'toolu_store');
    cli.send(allow(store, { 'Store?': 'Disk' }));
    cli.send(allow(language, { 'Language?': 'Zig, with “care”' }));

    const result = await cli.message(({ type }) => type === 'result');
    expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'Thank you.' });
    expect(result.usage).toMatchObject({
      input_tokens: 2 * USAGE.input_tokens,
      output_tokens: 2 * USAGE.output_tokens,
    });
    expect(await cli.end()).toEqual({ code: 0, signal: null });
    expect(model.requests).toHaveLength(2);
    expect(toolResult(model.requests, 'toolu_language')).toMatchObject({
      text: expect.stringContaining('"Language?"="Zig, with “care”"'),
      isError: false,
    });
    expect(toolResult(model.requests, 'toolu_store')?.text).toContain('"Store?"="Disk"');
    expect(model.requests[0]?.tools).toContain('AskUserQuestion');
    expect(userTexts(await model.request(1))).toContain('Plan the project.');
    expect(model.requests[1]?.userAgent).toContain(`claude-cli/${name.replace('claude-', '')} `);
    expect(model.strays).toEqual([]);
  });

  it('plain -p does not offer the tool, which the request log shows', async ({ skip }) => {
    const claude = await realCli(name, skip);
    const model = await startAnthropic([text('Done.')]);
    const cli = start(claude, ['-p', '--verbose', '--output-format', 'stream-json', 'Plan it.'], model);
    expect(await cli.end()).toEqual({ code: 0, signal: null }); // it waits 3 s for a stdin that stays open
    const init = await cli.message(({ subtype }) => subtype === 'init');
    expect(init.tools).not.toContain('AskUserQuestion');
    expect((await model.request(1)).tools).not.toContain('AskUserQuestion');
    expect(model.strays).toEqual([]);
  });
});

function start(path: string, args: string[], model: AnthropicServer) {
  const home = claudeHome(model.url);
  onTestFinished(() => home.remove());
  onTestFinished(() => model.stop());
  return startJsonLines(path, args, home);
}

/** The answer of a host to `can_use_tool`: the questions must be in it again. */
function allow({ request_id, request }: Record<string, unknown>, answers: Record<string, string>) {
  const { questions } = (request as { input: { questions: unknown } }).input;
  const response = { behavior: 'allow', updatedInput: { questions, answers } };
  return { type: 'control_response', response: { subtype: 'success', request_id, response } };
}

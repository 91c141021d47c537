import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { ASK, asking, LANGUAGE, language } from './asking.ts';
import { built, CONTROL, toolResult, Wire } from './wire.ts';

describe('FAKE-1 permissions and real tools', () => {
  test('a tool that needs permission runs when it is allowed, and does not when it is refused', async () => {
    const handle = built(
      new ScenarioBuilder()
        .writesFile('a.txt', 'one', { permission: true })
        .writesFile('b.txt', 'two', { permission: true })
        .editsFile('a.txt', 'one', 'three')
        .asksPermission('WebFetch', { url: 'http://example.com' }, 'fetched')
        .respondsWithText('ok'),
    );
    const wire = new Wire(handle).begin();
    const first = await wire.until(ASK);
    expect(first.request).toMatchObject({
      tool_name: 'Write',
      input: { file_path: join(wire.cwd, 'a.txt') },
    });
    wire.respond(first, { behavior: 'allow', updatedInput: first.request.input });
    wire.respond(await wire.until(ASK), { behavior: 'deny', message: 'No files please' });
    const last = await wire.until(ASK);
    wire.respond(last, { behavior: 'allow', updatedInput: last.request.input });
    expect(toolResult(await wire.until('user/tool_result'))).toBe('fetched');
    const { permission_denials: denials } = await wire.until('result/success');
    expect(denials).toMatchObject([{ tool_name: 'Write', tool_input: { content: 'two' } }]);
    expect(readFileSync(join(wire.cwd, 'a.txt'), 'utf8')).toBe('three');
    expect(existsSync(join(wire.cwd, 'b.txt'))).toBe(false);
  });

  test('in the mode dontAsk everything is refused without a question', async () => {
    const wire = new Wire(built(asking()), [...CONTROL, '--permission-mode', 'dontAsk']).begin();
    await wire.until('system/permission_denied');
    const { permission_denials: denials } = await wire.until('result/success');
    expect(denials).toHaveLength(1);
    expect(wire.names).not.toContain(ASK);
  });

  test('an answer reaches a shell command as a variable only, whatever is in it', async () => {
    const handle = built(
      new ScenarioBuilder()
        .asksQuestions([language])
        .runs('printf %s "$ANSWER_language" > answer; echo "{{answer:language}}" > literal')
        .respondsWithText('ok'),
    );
    const wire = new Wire(handle).begin();
    const nasty = '$(touch owned); `touch owned`"; touch owned #';
    wire.allow(await wire.until(ASK), { [LANGUAGE]: nasty });
    await wire.until('result/success');
    expect(readFileSync(join(wire.cwd, 'answer'), 'utf8')).toBe(nasty);
    expect(readFileSync(join(wire.cwd, 'literal'), 'utf8')).toBe('{{answer:language}}\n');
    expect(existsSync(join(wire.cwd, 'owned'))).toBe(false);
  });
});

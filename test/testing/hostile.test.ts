import { describe, expect, test } from 'vitest';
import { ScenarioBuilder } from '../../src/testing/builder.ts';
import { built, PRINT, Wire } from './wire.ts';

const play = (builder: ScenarioBuilder) => new Wire(built(builder), [...PRINT, 'go']);

describe('FAKE-1 an agent that behaves badly', () => {
  test('crashes, exits and dies after a given number of lines', async () => {
    const killed = await play(new ScenarioBuilder().respondsWithText('a').crashes()).ended;
    expect(killed).toMatchObject({ code: null, signal: 'SIGKILL', stdout: expect.stringContaining('"a"') });
    const aborted = await play(new ScenarioBuilder().crashes('SIGABRT')).ended;
    expect(aborted).toMatchObject({ signal: 'SIGABRT' });
    const exited = play(new ScenarioBuilder().writesStderr('out of luck\n').exits(42));
    expect(await exited.ended).toMatchObject({ code: 42, stderr: 'out of luck\n' });
    expect(exited.names).toEqual(['system/init']);
    const counted = play(new ScenarioBuilder().respondsWithText('a').respondsWithText('b').crashesAfter(2));
    expect(await counted.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(counted.names).toEqual(['system/init', 'assistant/text']);
  });

  test('ends without a result, with another code, or with an error of the model', async () => {
    const silent = play(new ScenarioBuilder().respondsWithText('a').endsWithoutResult());
    expect(await silent.ended).toMatchObject({ code: 0 });
    expect(silent.names).toEqual(['system/init', 'assistant/text']);
    const coded = play(new ScenarioBuilder().respondsWithText('a').endsWithCode(7));
    expect(await coded.ended).toMatchObject({ code: 7 });
    expect(coded.names.at(-1)).toBe('result/success');
    const failed = play(new ScenarioBuilder().fails('API Error: 400'));
    expect(await failed.ended).toMatchObject({ code: 1 });
    expect(failed.messages.at(-1)).toMatchObject({
      subtype: 'success',
      is_error: true,
      result: 'API Error: 400',
    });
  });

  test('writes garbage, bytes that are not text, its own events and no init', async () => {
    const wire = play(
      new ScenarioBuilder()
        .beginsWithoutInit()
        .raw('{"not json')
        .rawBytes(Uint8Array.of(0xff, 0xfe, 0x0a))
        .emits({ type: 'stream_event', event: {} })
        .thinks('hm')
        .usesTool('Read', { file_path: 'x' }, 'text', { parent: 'toolu_sub' }),
    );
    expect(await wire.ended).toMatchObject({ code: 0 });
    expect(wire.names).toEqual([
      'raw/{"not json',
      'raw/\ufffd\ufffd',
      'stream_event',
      'assistant/thinking',
      'assistant/tool_use',
      'user/tool_result',
      'result/success',
    ]);
    expect(wire.messages[4]).toMatchObject({ parent_tool_use_id: 'toolu_sub' });
  });

  test('floods stdout with one line, and stderr', async () => {
    const size = 30_000_000;
    const wire = play(
      new ScenarioBuilder().floods('stdout', size).raw('').floods('stderr', 3_000_000, 'no\n'),
    );
    const { stdout, stderr } = await wire.ended;
    expect(stdout.split('\n')[1]).toHaveLength(size);
    expect(stderr).toHaveLength(3_000_000);
  });

  test('closes stdout and stays alive; never ends; ignores TERM', async () => {
    const closed = play(
      new ScenarioBuilder().respondsWithText('a').closesStdout().respondsWithText('b').exits(5),
    );
    expect(await closed.ended).toMatchObject({ code: 5 });
    expect(closed.names).toEqual(['system/init', 'assistant/text']);
    const stubborn = new Wire(
      built(new ScenarioBuilder().ignoresSigterm().respondsWithText('a').neverEnds()),
    ).begin();
    await stubborn.until('assistant/text');
    stubborn.child.stdin.end();
    stubborn.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(stubborn.child.exitCode).toBeNull();
    stubborn.child.kill('SIGKILL');
    expect(await stubborn.ended).toMatchObject({ signal: 'SIGKILL' });
  });
});

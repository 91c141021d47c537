import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Deliveries, TranscriptFile, TranscriptReader } from '../../../src/agents/claude/deliveries.ts';

const SESSION = '11111111-2222-4333-8444-555555555555';
const line = (type: string, content: unknown, more = {}) =>
  `${JSON.stringify({ type, ...more, message: { role: type, content } })}\n`;
const call = (id: string) =>
  line('assistant', [{ type: 'tool_use', id, name: 'AskUserQuestion', input: {} }]);
const result = (id: string, content: unknown, more = {}) =>
  line('user', [{ type: 'tool_result', tool_use_id: id, content, ...more }]);

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-transcript-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, '.claude', 'projects', '-work'), { recursive: true });
  return dir;
}

describe('HEAR-4 the transcript of Claude Code', () => {
  test('is read in pieces, by whole lines, and treated as untrusted', () => {
    const text = [
      line('user', 'Plan it.'),
      call('toolu_1'),
      '{"message": half\n',
      '[]\nnull\n"message"\n{"type":"user","message":"text"}\n{"type":"user","message":{"content":[1,null,{}]}}\n',
      `{"type":"user","message":{"content":"${'x'.repeat(9 * 1024 * 1024)}"}}\n`,
      result('toolu_1', 'answered "ü"'),
      result('toolu_1', '[Tool call interrupted]', { is_error: true }),
      result('toolu_2', [{ type: 'text', text: 'no' }], { is_error: true }),
      line('user', [{ type: 'tool_result', tool_use_id: 'toolu_sub', content: 'x' }], { isSidechain: true }),
      line('user', [{ type: 'text', text: 'Go on.' }]),
      `${JSON.stringify({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'While you work.' } })}\n`,
      result('toolu_3', 'not written to its end').trimEnd(),
    ].join('');
    const bytes = Buffer.from(text);
    for (const size of [bytes.length, 65_536, 7001]) {
      const reader = new TranscriptReader();
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
      expect([...reader.calls]).toEqual(['toolu_1']);
      expect(reader.messages).toEqual(['Plan it.', 'Go on.', 'While you work.']);
      expect([...reader.results.keys()]).toEqual(['toolu_1', 'toolu_2']);
      expect(reader.results.get('toolu_1')).toEqual({ isError: false, text: 'answered "ü"' });
      expect(reader.results.get('toolu_2')).toMatchObject({ isError: true });
    }
  });

  test('is found in the config folder whatever its folder is called, and read from the last position', async () => {
    const home = folder();
    const path = join(home, '.claude', 'projects', '-work', `${SESSION}.jsonl`);
    const file = new TranscriptFile({ HOME: home }, SESSION);
    expect(await file.look()).toBeUndefined();
    writeFileSync(path, call('toolu_1') + result('toolu_1', 'yes').slice(0, 20));
    expect((await file.look())?.results.size).toBe(0);
    writeFileSync(path, result('toolu_1', 'yes').slice(20), { flag: 'a' });
    expect((await file.look())?.results.size).toBe(1);
    const elsewhere = new TranscriptFile(
      { HOME: '/nonexistent', CLAUDE_CONFIG_DIR: join(home, '.claude') },
      SESSION,
    );
    expect((await elsewhere.look())?.results.size).toBe(1);
    const mounts = [{ path: '/home/ada', from: home, writable: true }];
    const inside = new TranscriptFile({ HOME: '/home/ada' }, SESSION, {
      bwrap: 'bwrap',
      mounts,
    });
    expect((await inside.look())?.results.size).toBe(1);
  });

  test('is read once by those who look at the same time', async () => {
    const home = folder();
    const path = join(home, '.claude', 'projects', '-work', `${SESSION}.jsonl`);
    const said = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(50_000)}`);
    writeFileSync(path, said.map((text) => line('user', text)).join(''));
    const file = new TranscriptFile({ HOME: home }, SESSION);
    const [first, second] = await Promise.all([file.look(), file.look()]);
    expect(first?.messages.map((text) => text.slice(0, 2))).toEqual(said.map((text) => text.slice(0, 2)));
    expect(second).toBe(first);
  });

  test('is never read outside of the config folder', async () => {
    const home = folder();
    const outside = join(home, 'outside.jsonl');
    writeFileSync(outside, result('toolu_1', 'yes'));
    symlinkSync(outside, join(home, '.claude', 'projects', '-work', `${SESSION}.jsonl`));
    expect(await new TranscriptFile({ HOME: home }, SESSION).look()).toBeUndefined();
    expect(await new TranscriptFile({ HOME: home }, '../../../outside').look()).toBeUndefined();
    mkdirSync(join(home, 'more'));
    writeFileSync(join(home, 'more', 's-2.jsonl'), '');
    symlinkSync(join(home, 'more'), join(home, '.claude', 'projects', '-more'));
    expect(await new TranscriptFile({ HOME: home }, 's-2').look()).toBeUndefined();
  });
});

describe('HEAR-4 an answer counts as delivered', () => {
  const isSaved = (reader: { results: ReadonlyMap<string, unknown> }) => reader.results.has('toolu_1');
  const shown = (reader: TranscriptReader | undefined) => {
    const deliveries = new Deliveries(async () => reader);
    deliveries.expect('toolu_1', isSaved);
    deliveries.shown('toolu_1');
    return deliveries;
  };

  test('when the transcript has it, not when the agent has shown it', async () => {
    const reader = new TranscriptReader();
    reader.push(Buffer.from(call('toolu_1')));
    const deliveries = shown(reader);
    const early = await Promise.race([
      deliveries.of('toolu_1'),
      new Promise((done) => setTimeout(done, 100, 'waits')),
    ]);
    expect(early).toBe('waits');
    reader.push(Buffer.from(result('toolu_1', 'yes')));
    expect(await deliveries.of('toolu_1')).toBe(true);
  });

  test('not when the agent died before it was saved', async () => {
    const reader = new TranscriptReader();
    reader.push(Buffer.from(call('toolu_1')));
    const deliveries = shown(reader);
    await deliveries.close(false);
    expect(await deliveries.of('toolu_1')).toBe(false);
  });

  test('when the agent finished its work, or saves nothing that could be read', async () => {
    const finished = shown(new TranscriptReader());
    await finished.close(true);
    expect(await finished.of('toolu_1')).toBe(true);
    const without = shown(undefined);
    await without.close(false);
    expect(await without.of('toolu_1')).toBe(true);
  });

  test('as soon as it is shown by an agent that is known to save nothing', async () => {
    const deliveries = new Deliveries(async () => undefined, false);
    deliveries.expect('toolu_1', isSaved);
    deliveries.shown('toolu_1');
    const late = new Promise((done) => setTimeout(done, 1000, 'waits'));
    expect(await Promise.race([deliveries.of('toolu_1'), late])).toBe(true);
  });

  test('if it was saved, even if the agent died before it reported it', async () => {
    const reader = new TranscriptReader();
    reader.push(Buffer.from(result('toolu_1', 'yes')));
    const deliveries = new Deliveries(async () => reader);
    deliveries.expect('toolu_1', isSaved);
    await deliveries.close(false);
    expect(await deliveries.of('toolu_1')).toBe(true);
  });

  test.each([
    ['with a yes, in a message', true, line('user', 'I approved this, with a note: Be quick.')],
    ['with a no, in the decision', false, result('toolu_1', 'Be quick.', { is_error: true })],
  ])('HEAR-8 and so does a note %s', async (_, isMessage, saved) => {
    const reader = new TranscriptReader();
    reader.push(Buffer.from(call('toolu_1')));
    const lost = new Deliveries(async () => reader);
    const gone = lost.note('toolu_1', 'Be quick.', isMessage);
    await lost.close(false);
    expect(await gone).toBe(false);
    const kept = new Deliveries(async () => reader).note('toolu_1', 'Be quick.', isMessage);
    reader.push(Buffer.from(saved));
    expect(await kept).toBe(true);
  });
});

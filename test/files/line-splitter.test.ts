import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, MAX_LINE_LENGTH } from '../../src/files/line-splitter.ts';

function split(chunks: Uint8Array[], limit?: number) {
  const lines: string[] = [];
  const tooLong: { size: number; head: string }[] = [];
  const splitter = new LineSplitter(
    (bytes, start, end) => lines.push(bytes.toString('utf8', start, end)),
    (size, head) => tooLong.push({ size, head }),
    limit,
  );
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, tooLong };
}

const bytes = (text: string) => Buffer.from(text);

describe('LineSplitter', () => {
  it('STR-1 yields lines without their newline, and the last one even if it has none', () => {
    expect(split([bytes('a\n\nb\r\nc')]).lines).toEqual(['a', '', 'b\r', 'c']);
    expect(split([bytes('a\n')]).lines).toEqual(['a']);
    expect(split([]).lines).toEqual([]);
  });

  it('STR-1 joins characters that were split across chunks', () => {
    const [euro, face] = [bytes('€'), bytes('🙂')];
    const chunks = [
      euro.subarray(0, 1),
      euro.subarray(1),
      face.subarray(0, 3),
      face.subarray(3),
      bytes('\n'),
    ];
    expect(split(chunks).lines).toEqual(['€🙂']);
  });

  it('STR-1 yields the same lines for the same bytes, whatever the chunks', () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(bytes('\n'), bytes('\r\n'), bytes('ä{}')),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (chunks) => {
        const whole = Buffer.concat(chunks);
        expect(split(chunks)).toEqual(split([whole]));
        expect(split([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(split([whole]));
        expect(split([whole]).lines.join('\n')).toBe(whole.toString('utf8').replace(/\n$/, ''));
      }),
    );
  });

  it('STR-1 lets the owner of a chunk change it once it is pushed', () => {
    const chunk = bytes('half');
    const lines: string[] = [];
    const splitter = new LineSplitter(
      (line, start, end) => lines.push(line.toString('utf8', start, end)),
      () => undefined,
    );
    splitter.push(chunk);
    chunk.fill('x');
    splitter.push(bytes(' whole\n'));
    expect(lines).toEqual(['half whole']);
  });

  it.each([
    ['in one chunk', (text: string) => [bytes(text)]],
    ['byte by byte', (text: string) => [...bytes(text)].map((byte) => Uint8Array.of(byte))],
  ])('STR-7 drops a line over the limit, tells it, and reads on: %s', (_, chunks) => {
    const { lines, tooLong } = split(chunks(`1234\n12345\n${'x'.repeat(600)}\nok\n${'y'.repeat(7)}`), 4);
    expect(lines).toEqual(['1234', 'ok']);
    expect(tooLong.map(({ size }) => size)).toEqual([5, 600, 7]);
    expect(tooLong[0]?.head).toMatch(/^1234/);
  });

  it('STR-7 holds no more than the limit, however long a line is', () => {
    const before = process.memoryUsage().arrayBuffers;
    const part = Buffer.alloc(1024 * 1024, 'x');
    let held = 0;
    const tooLong: number[] = [];
    const splitter = new LineSplitter(
      () => undefined,
      (size) => tooLong.push(size),
    );
    for (let i = 0; i < 200; i++) {
      splitter.push(part);
      held = Math.max(held, process.memoryUsage().arrayBuffers - before);
    }
    splitter.push(bytes('\n'));
    expect(tooLong).toEqual([200 * 1024 * 1024]);
    expect(held).toBeLessThan(4 * MAX_LINE_LENGTH);
  });

  it('STR-7 a line of exactly 16 MiB is read', () => {
    const line = Buffer.alloc(MAX_LINE_LENGTH, 'x');
    const { lines, tooLong } = split([line.subarray(0, 1000), line.subarray(1000), bytes('\nx')]);
    expect([lines.length, lines[0]?.length, tooLong]).toEqual([2, MAX_LINE_LENGTH, []]);
  });
});

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeAtOnce } from '../../src/files/write-at-once.ts';

function freshFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-at-once-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'file');
}
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a replaced file keeps its mode, or gets the given one', () => {
  const path = freshFile();
  writeAtOnce(path, 'one', 0o600);
  expect(modeOf(path)).toBe(0o600);
  chmodSync(path, 0o640);
  writeAtOnce(path, 'two');
  expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['two', 0o640]);
});

test('a write that fails leaves nothing behind', () => {
  const path = freshFile();
  mkdirSync(join(path, 'inside'), { recursive: true });
  expect(() => writeAtOnce(path, 'text')).toThrow();
  expect(readdirSync(join(path, '..'))).toEqual(['file']);
});

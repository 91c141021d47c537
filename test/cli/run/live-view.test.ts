import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LiveView } from '../../../src/cli/run/live-view.ts';
import type { RunView } from '../../../src/cli/run/render-run.ts';

const shown: RunView = {
  phases: [{ id: '1', title: 'Paint', state: 'at_work', tokens: 0 }],
  counts: { total: 1, done: 0, asks: 0, at_work: 1, failed: 0, next: 0 },
  tokens: 0,
  costUsd: 0,
};

function view(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), {
    isTTY,
    columns: 80,
    rows: 24,
  }) as unknown as NodeJS.WriteStream;
  const said = () => String(stream.read() ?? '');
  return { view: new LiveView(stream), said, stream };
}

test('RUN-3 while a person answers, nothing is written into their line; messages appear afterwards', () => {
  const { view: live, said } = view(true);
  live.show(shown);
  expect(said()).toContain('● 1     Paint');
  live.pause(true);
  said();
  live.tell('2: done');
  live.show(shown);
  expect(said()).toBe('');
  live.pause(false);
  expect(said()).toMatch(/^2: done\n● 1 {5}Paint\n/);
  live.pause(true);
  live.tell('3: done');
  live.stop();
  expect(said()).toContain('3: done\n');
});

test('without a terminal, only messages are printed, at once', () => {
  const { view: live, said } = view(false);
  live.show(shown);
  live.pause(true);
  live.tell('2: done');
  expect(said()).toBe('2: done\n');
});

test('shows no view before there are phases', () => {
  const { view: live, said } = view(true);
  live.tell('1: starts');
  expect(said()).toBe('1: starts\n');
});

test('RUN-3 the whole view is erased even if the window became narrower, or a key was echoed after it', () => {
  const { view: live, said, stream } = view(true);
  live.show(shown);
  said();
  stream.columns = 10;
  live.tell('2: done');
  expect(said().startsWith('\r\u001b[5A\u001b[J2: done\n')).toBe(true);
});

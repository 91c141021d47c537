import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LiveView } from '../../../src/cli/run/live-view.ts';

const phase = { id: '1', title: 'Paint', status: 'in_progress', tokens: 0, costUsd: 0 } as const;

function view(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  const said = () => String(stream.read() ?? '');
  return { view: new LiveView(stream), said };
}

test('RUN-3 while a person is asked, nothing is written into their line; it is told afterwards', () => {
  const { view: live, said } = view(true);
  live.show([phase]);
  expect(said()).toContain('● 1     Paint');
  live.hide(true);
  said();
  live.tell('2: done');
  live.show([phase]);
  expect(said()).toBe('');
  live.hide(false);
  expect(said()).toMatch(/^2: done\n● 1 {5}Paint\n/);
  live.hide(true);
  live.tell('3: done');
  live.stop();
  expect(said()).toContain('3: done\n');
});

test('elsewhere than on a terminal there are messages only, at once', () => {
  const { view: live, said } = view(false);
  live.show([phase]);
  live.hide(true);
  live.tell('2: done');
  expect(said()).toBe('2: done\n');
});

test('no view before there are phases', () => {
  const { view: live, said } = view(true);
  live.tell('1: starts');
  expect(said()).toBe('1: starts\n');
});

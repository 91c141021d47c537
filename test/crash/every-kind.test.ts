import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HubProcess } from './support/hub-process.ts';
import { type Kind, kinds } from './support/kinds.ts';
import { survive } from './support/survive.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Points of plan commands and worktrees, which have crash tests of their own. */
const BY_HAND = /^(complete\.checked|(gate|variants|cleanup|receive|discard|remove|undo)\..*)$/;

test('CRASH WORK-8 every crash point of agent work is tried with one kind, and in test:long with all that pass it', () => {
  const inSource = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(SRC, name), 'utf8').matchAll(/crashPoint\('(.+?)'\)/g)])
    .map(([, point = '']) => point)
    .filter((point) => !BY_HAND.test(point));
  const briefly = Object.values(kinds).flatMap(({ briefly }) => briefly.map((point) => point.split('#')[0]));
  expect(briefly.toSorted()).toEqual([...new Set(inSource)].toSorted());
});

test.each(Object.entries(kinds))(
  'CRASH WORK-7 WORK-8 the hub is killed while an agent works on a %s: the next one continues by itself, and nothing is lost, asked or done twice',
  async (name, kind) => {
    await survive(name, kind, kind.briefly);
  },
);

const draft = kinds.draft as Kind;

test('CRASH WORK-7 ADP-4 a draft whose hub is killed while a person is asked gets the answer from the next hub', async () => {
  await survive('draft', draft, [untilAsked]);
});

test('CRASH DRV-2 DRV-3 LED-5 an older agent, whose question is lost when the hub is killed, is still asked it once', async () => {
  const older = { ...draft, agent: () => draft.agent().behavesLike('2.1.197') };
  await survive('draft', older, ['create.held', 'deliver.after']);
});

test('CRASH WORK-2 a template that is edited between the crash and the resume changes nothing about what is resumed', async () => {
  const edit = (cwd: string) => {
    const folder = join(cwd, '.claude/fermata/prompts');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'draft.md'), 'Edited. {idea}');
  };
  const prompts = await survive('draft', draft, [untilAsked], { before: edit });
  expect(prompts.join('\n')).not.toContain('Edited.');
  await survive('draft', draft, ['assignment.used'], { before: edit });
});

const untilAsked = async (hub: HubProcess) => {
  while (!(await hub.hasAsked())) await sleep(50);
};

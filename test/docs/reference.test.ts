import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { withAgentOptions } from '../../src/cli/agents/agent-options.ts';
import { environment } from '../../src/cli/environment.ts';
import { exitCodeOf } from '../../src/cli/exit.ts';
import { httpError } from '../../src/hub/http-error.ts';
import { Metrics } from '../../src/hub/metrics.ts';
import * as library from '../../src/index.ts';
import { rules } from '../../src/plan/audit/audit-plan.ts';
import { agentNames } from '../../src/schema/agent-name.ts';
import { defaultHilConfig, presets } from '../../src/schema/autonomy-words.ts';
import { Config } from '../../src/schema/config.ts';
import { errorCodes, FermataError } from '../../src/schema/error.ts';
import { EventType } from '../../src/schema/event.ts';
import { limits } from '../../src/schema/limits.ts';
import { PersonalConfig } from '../../src/schema/personal-config.ts';
import * as schemas from '../../src/schema.ts';
import { AgentScenario, Step } from '../../src/testing/scenario.ts';
import * as testing from '../../src/testing.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const commands = read('docs/commands.md');

describe('reference tables and the code', () => {
  it('docs/commands.md lists the environment variables that people set, and no other', () => {
    const listed = rowsOf(commands, '| variable | |').flatMap(([names = '']) => codes(names));
    expect(listed.sort()).toEqual(Object.keys(environment).sort());
  });

  it('every Fermata variable that the code reads is explained in docs/commands.md', () => {
    const inCode = new Set(
      sources('src')
        .concat(sources('bin'))
        .join('\n')
        .match(/\bFERMATA_[A-Z_]*[A-Z]\b/g),
    );
    // For the tests of crashes only.
    inCode.delete('FERMATA_CRASH_AT');
    expect([...inCode].filter((name) => !commands.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['fermata.config.json', '#### fermata.config.json', Object.keys(Config.shape)],
    ['your own config.json', '#### Your own config.json', Object.keys(PersonalConfig.shape)],
  ])('docs/commands.md has every key of %s', (_, heading, keys) => {
    const listed = rowsOf(commands.slice(commands.indexOf(heading)), '| key | |').flatMap(([key = '']) =>
      codes(key),
    );
    expect(listed.sort()).toEqual([...keys].sort());
  });

  it('docs/commands.md and the help of --agent name every agent, and no other (CLI-agent)', () => {
    const [row = ''] = /^\| `--agent NAME` \|.*$/m.exec(commands) ?? [];
    const listed = codes(row).filter((code) => !code.startsWith('--'));
    expect(listed.sort()).toEqual([...agentNames].sort());
    const { description = '' } = withAgentOptions(new Command()).options[0] ?? {};
    for (const name of agentNames) expect(description).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('docs/commands.md has every error code with its exit code and HTTP status', () => {
    const listed = rowsOf(commands, '| code | exit code | HTTP | means |').map(
      ([code = '', exit, status]) => [codes(code)[0], Number(exit), Number(status)],
    );
    const thrown = errorCodes.map((code) => {
      const error = new FermataError(code, 'x', { details: { retryAfter: 1 } });
      return [code, exitCodeOf(error), httpError(error).status];
    });
    expect(listed).toEqual(thrown);
  });

  it('every type of a refusal is explained in a page', () => {
    const thrown = sources('src').flatMap((source) => [...source.matchAll(/\bnew Refusal\(\s*'(\w+)'/g)]);
    const types = new Set(thrown.map(([, type = '']) => type));
    expect(types.size).toBeGreaterThan(50);
    const pages = ['plan-commands', 'run', 'worktrees'].map((page) => read(`docs/${page}.md`)).join('\n');
    expect([...types].filter((type) => !pages.includes(`\`${type}\``))).toEqual([]);
  });

  it('docs/plans.md has every code of the audit with its severity', () => {
    const listed = rowsOf(read('docs/plans.md'), '| code | | what it finds |').map(
      ([code = '', severity]) => [codes(code)[0], severity],
    );
    expect(listed.sort()).toEqual(rules.map(({ code, severity }) => [code, severity]).sort());
  });

  it('docs/hub.md has every metric', () => {
    const leases = { held: 0, expired: 0 };
    const answerWait = { count: 0, sum: 0, p50: 0, p95: 0 };
    const figures = {
      openNotifications: 0,
      oldestOpenSeconds: 0,
      answerWait,
      readyTasks: 0,
      leases,
      agents: [],
      workers: [],
      queuedTasks: 0,
      rejectedPushes: 0,
      deadJobs: 0,
    };
    const text = new Metrics().text(0, figures);
    const metrics = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
    const listed = rowsOf(read('docs/hub.md'), '| metric | |').flatMap(([names = '']) => codes(names));
    expect(listed.map((name) => name.replace(/\{.*/, '')).sort()).toEqual(metrics.sort());
  });

  it('docs/ledger.md has the value of every limit', () => {
    const [, section = ''] = read('docs/ledger.md').split('## Limits\n');
    const { perAgentAndMinute, notificationBytes, ...single } = limits;
    // Internal limits on what is shown, not on what a person or a program sends.
    const { filterText, material, materialBytes, runText, ...told } = single;
    const values = [...Object.values(told), ...Object.values(perAgentAndMinute)];
    for (const value of values) expect(section).toContain(value.toLocaleString('en-US'));
    expect(section).toContain(`${notificationBytes / 1024 / 1024} MiB`);
  });

  it('docs/ledger.md has every type of event', () => {
    const listed = rowsOf(read('docs/ledger.md'), '| event | |').flatMap(([type = '']) => codes(type));
    expect(listed).toEqual(EventType.options);
  });

  it('docs/library.md has every export of the package', () => {
    const page = read('docs/library.md');
    const rows = [...page.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
    const names = new Set(Object.keys({ ...library, ...schemas }));
    const listed = rows.flatMap(([left = '', right = '']) => codes(codes(left).length > 0 ? left : right));
    const functions = rows.flatMap(([left = '']) => codes(left));
    expect(functions.sort()).toEqual(Object.keys(library).sort());
    expect([...names].filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('docs/scripted-agent.md has every key of a scenario, every step, and every export for tests', () => {
    const page = read('docs/scripted-agent.md');
    const first = (head: string) => rowsOf(page, head).flatMap(([names = '']) => codes(names));
    const { invocations } = AgentScenario.shape;
    expect(first('| key of a scenario | |').sort()).toEqual(Object.keys(AgentScenario.shape).sort());
    expect(first('| key of an invocation | |').sort()).toEqual(Object.keys(invocations.element.shape).sort());
    expect(first('| step (`do`) | |').sort()).toEqual(stepNames().sort());
    expect(first('| export | |').sort()).toEqual(Object.keys(testing).sort());
  });

  it('docs/roles.md has the levels of the default and of each preset', () => {
    const listed = rowsOf(
      read('docs/roles.md'),
      '| | `scopeChanges` | `architectureDecisions` | `dependencyModifications` |',
    ).map(([name = '', ...levels]) => [name.replaceAll('`', ''), levels.flatMap(codes)]);
    const all = Object.entries({ default: defaultHilConfig, ...presets });
    expect(listed).toEqual(
      all.map(([name, { scopeChanges, architectureDecisions, dependencyModifications }]) => [
        name,
        [scopeChanges, architectureDecisions, dependencyModifications],
      ]),
    );
  });
});

/** The cells of the first table with this head, row by row. */
function rowsOf(page: string, head: string): string[][] {
  const start = page.indexOf(`${head}\n`);
  expect(start, `no table ${head}`).toBeGreaterThan(-1);
  const [table = ''] = page.slice(start + head.length + 1).split(/\n(?!\|)/);
  const [, ...rows] = table.trimEnd().split('\n');
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

/** Also those that may stand inside of others. */
function stepNames(): string[] {
  const schema = JSON.stringify(z.toJSONSchema(Step));
  return [
    ...new Set([...schema.matchAll(/"do":\{"type":"string","const":"(\w+)"/g)].map(([, name = '']) => name)),
  ];
}

const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|cjs)$/.test(file))
    .map((file) => read(join(folder, file)));
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/schema/event.ts';
import type { Notification } from '../../src/schema/notification.ts';
import { calculator, interactivePlanning, multiRoundQa, ScenarioBuilder } from '../../src/testing.ts';
import { BAD_PLAN, MASTER, PLAN, phase } from '../plan/convert/support/plans.ts';
import { inbox, untilLedger } from '../support/asked.ts';
import { fermata, startFermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { CTRL_C, inTerminal } from '../support/pty.ts';
import { draft, place, question } from './support/draft-place.ts';

/** A loaded machine needs a while to start so many programs. */
describe('ADP-2 an adaptive draft', () => {
  test('INTER-01 INTER-02 INTER-03 INTER-04 INTER-05 asks, takes the answers from another process, and writes the plan with them', async () => {
    const at = place(
      new ScenarioBuilder()
        .withSessionId('session-1')
        .asksQuestions([
          { id: 'db', question: 'Which database?', options: [{ label: 'SQLite' }, { label: 'PostgreSQL' }] },
          { id: 'why', question: 'What for?', options: [{ label: 'Orders' }, { label: 'Fun' }] },
        ])
        .respondsWithText(`${MASTER}\n${phase('{{answer:db}}')}`),
    );
    const running = startFermata(['draft', 'A shop', '--adaptive', '--agent', 'scripted', '--json'], at);
    running.child.stdin?.end();
    const open = await question(at, running);
    expect(open).toMatchObject({
      source: 'plan',
      sourceId: 'a-shop',
      resume: { agent: 'scripted', sessionId: 'session-1' },
      questions: [
        { text: 'Which database?', options: [{ label: 'SQLite' }, { label: 'PostgreSQL' }] },
        { text: 'What for?' },
      ],
    });
    await fermata(['answer', open.id, 'PostgreSQL', 'something else'], at);
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ files: ['MASTER_PLAN.md', 'phase-1.md'], audited: true, rounds: 1 });
    expect(result.usage.inputTokens).toBeGreaterThan(0);
    expect(readFileSync(join(at.cwd, 'plans/a-shop/phase-1.md'), 'utf8')).toContain(
      '# Phase 1: PostgreSQL\n',
    );
    expect(at.handle.answers(), 'each answer once').toHaveLength(2);
  });

  longTest(
    'INTER-06 SEED-2 stops after five rounds, keeps what there is, and leaves the question in the inbox',
    async () => {
      const scenario = new ScenarioBuilder().respondsWithText('# What I have so far');
      for (const n of [1, 2, 3, 4, 5, 6]) scenario.asksQuestions([`Round ${n}?`]);
      const at = place(scenario.respondsWithText(PLAN));
      const running = startFermata(['draft', 'A shop', '--adaptive', '--agent', 'scripted', '--json'], at);
      running.child.stdin?.end();
      const seen: string[] = [];
      for (let n = 1; n <= 5; n++) {
        const { id } = await question(at, running, seen);
        seen.push(id);
        await fermata(['answer', id, 'so'], at);
      }
      const { code, stdout, stderr } = await running.ended;
      expect(code).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'too_many_rounds' } });
      expect(stderr).toContain('more than 5 times');
      expect(stderr).toMatch(/Continue with: fermata draft --resume draft:\S+/);
      expect(await inbox(at)).toMatchObject([{ questions: [{ text: 'Round 6?' }] }]);
      const kept = JSON.parse(stdout).kept;
      expect(readFileSync(kept, 'utf8')).toContain('What I have so far');
    },
  );

  test('INTER-07 without questions it continues normally', async () => {
    const at = place(calculator());
    const { code, stderr } = await draft(at, 'A calculator', '--adaptive');
    expect(stderr).toContain('0 rounds');
    expect(code).toBe(0);
  });

  test.each([
    ['interactivePlanning', interactivePlanning, ['What programming language?', 'What database?'], 1],
    ['multiRoundQa', multiRoundQa, ['Question round 1?', 'Question round 2?'], 2],
  ])(
    "INTER-05 INTER-06 the seed's scenario %s plays through, and its rounds are counted",
    async (_, scenario, texts, rounds) => {
      const at = place(scenario());
      const running = startFermata(['draft', 'A shop', '--adaptive', '--agent', 'scripted', '--json'], at);
      running.child.stdin?.end();
      const seen: Notification[] = [];
      while (seen.flatMap((n) => n.questions).length < texts.length) {
        const next = await question(
          at,
          running,
          seen.map((n) => n.id),
        );
        seen.push(next);
        await fermata(['answer', next.id, ...next.questions.map(() => 'an answer')], at);
      }
      expect(seen.flatMap((n) => n.questions.map((q) => q.text))).toEqual(texts);
      const { code, stdout, stderr } = await running.ended;
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(JSON.parse(stdout).rounds).toBe(rounds);
    },
  );

  test('INTER-04 asks in the terminal if there is one', async () => {
    const at = place(new ScenarioBuilder().asksQuestions(['Which colour?']).respondsWithText(`${PLAN}\n`));
    const terminal = inTerminal(['draft', 'A shop', '--adaptive', '--agent', 'scripted'], at);
    await terminal.shows(/Which colour\?[\s\S]*› /);
    terminal.type('blue\r');
    await terminal.shows(/MASTER_PLAN\.md/);
    expect(await terminal.ended).toBe(0);
    expect(JSON.stringify(at.handle.answers())).toContain('blue');
  });

  longTest(
    'INTER-04 DRV-3 messages about the agent do not interrupt the answer that a person types',
    async () => {
      const at = place(new ScenarioBuilder().asksQuestions(['Which colour?']).respondsWithText(PLAN));
      const args = ['draft', 'A shop', '--adaptive', '--agent', 'scripted', '--park-after', '0.1s'];
      const terminal = inTerminal(args, at);
      await terminal.shows(/Which colour\?[\s\S]*› /);
      const events = async () => (await fermata(['events'], at)).stdout;
      await untilLedger(
        at,
        async () => (await events()).includes('parked until its question is answered') || undefined,
      );
      terminal.type('blue\r');
      await terminal.shows(/MASTER_PLAN\.md/);
      expect(await terminal.ended).toBe(0);
      expect(terminal.screen()).not.toContain('is parked');
    },
  );
});

describe('ADP-1 a standard draft', () => {
  test('tells the agent to assume, answers its questions anyway with "assume", and lists them in the plan', async () => {
    const at = place(new ScenarioBuilder().asksQuestions(['Which database?']).respondsWithText(PLAN));
    const { code, stdout } = await draft(at, 'A shop', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rounds: 1 });
    expect(readFileSync(join(at.cwd, 'plans/a-shop/MASTER_PLAN.md'), 'utf8')).toContain(
      '- Which database? (asked by the agent',
    );
    const { events } = JSON.parse((await fermata(['events', '--json'], at)).stdout) as { events: Event[] };
    const resolved = events.find((event) => event.type === 'notification.resolved');
    expect(resolved?.by).toEqual({ actor: { kind: 'policy', name: 'assume' }, channel: 'ledger' });
  });

  test('ADP-3 the prompt has the idea, how vague it is, and the stack of the repository', async () => {
    const at = place(new ScenarioBuilder().runs('cat > /dev/null').respondsWithText(PLAN));
    writeFileSync(join(at.cwd, 'Cargo.toml'), '[package]');
    const { stderr } = await draft(at, 'make something');
    expect(stderr).toContain('The idea is vague');
    const [invocation] = at.handle.invocations();
    expect(JSON.stringify(invocation)).toMatch(/make something/);
    expect(JSON.stringify(invocation)).toMatch(/Rust/);
    expect(JSON.stringify(invocation)).toMatch(/Do not ask questions/);
  });
});

describe('CLI-draft', () => {
  test('CLI-EXIT-4 a missing agent, one that crashes and one that cannot ask get different errors', async () => {
    const at = place(new ScenarioBuilder().crashes().nextInvocation().crashes());
    const missing = await fermata(
      ['draft', 'A shop', '--agent', 'claude', '--agent-command', './no-such-program'],
      at,
    );
    expect(missing).toMatchObject({ code: 4, stdout: '' });
    expect(missing.stderr).toContain('no-such-program');
    const crashed = await draft(at, 'A shop', '--json');
    expect(crashed.code).toBe(4);
    expect(JSON.parse(crashed.stdout).error.code).toBe('crashed');
    const mute = place(new ScenarioBuilder().cannotAsk().respondsWithText(PLAN));
    const cannot = await draft(mute, 'A shop', '--adaptive', '--json');
    expect(cannot.code).toBe(4);
    expect(JSON.parse(cannot.stdout).error).toMatchObject({ code: 'cannot_ask' });
  });

  test('CLI-EXIT-1 ADP-4 if no attempt passes the audit, the best is kept and the folder is not created', async () => {
    const at = place(
      new ScenarioBuilder()
        .respondsWithText('I would rather not.')
        .nextInvocation()
        .respondsWithText(BAD_PLAN)
        .nextInvocation()
        .respondsWithText(MASTER),
    );
    const { code, stdout, stderr } = await draft(at, 'A shop', '--json');
    expect(code).toBe(1);
    expect(stderr).toContain('None of the 3 attempts passed the audit');
    const { error, kept } = JSON.parse(stdout);
    expect(error.code).toBe('audit_failed');
    expect(readdirSync(kept).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
    expect(existsSync(join(at.cwd, 'plans'))).toBe(false);
  });

  test('CLI-EXIT-2 no idea, an empty one and a used folder are refused before anything runs', async () => {
    const at = place(new ScenarioBuilder().respondsWithText(PLAN));
    mkdirSync(join(at.cwd, 'used'));
    writeFileSync(join(at.cwd, 'used', 'mine.md'), 'x');
    for (const args of [[], ['  '], ['A shop', '--output', 'used']]) {
      expect(await draft(at, ...args), args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    }
    expect(at.handle.invocations()).toEqual([]);
    expect(readdirSync(join(at.cwd, 'used'))).toEqual(['mine.md']);
  });

  test('any program is an agent: the prompt on its stdin, the plan on its stdout', async () => {
    const at = place(new ScenarioBuilder());
    const program = join(at.cwd, 'agent.sh');
    writeFileSync(program, `#!/bin/sh\ngrep -q 'A shop' && cat <<'END'\n${PLAN}\nEND\n`, { mode: 0o755 });
    const args = ['draft', 'A shop', '--agent', 'command', '--agent-command', './agent.sh'];
    expect((await fermata(args, at)).code).toBe(0);
    expect(readdirSync(join(at.cwd, 'plans/a-shop')).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
  });

  test('CLI-EXIT-130 Ctrl-C stops the agent; --resume continues the same session with the answer', async () => {
    const at = place(
      new ScenarioBuilder().withSessionId('s-1').asksQuestions(['Which?']).respondsWithText(PLAN),
    );
    const terminal = inTerminal(['draft', 'A shop', '--adaptive', '--agent', 'scripted'], at);
    await terminal.shows(/Which\?[\s\S]*› /);
    terminal.type(CTRL_C);
    await terminal.shows(/fermata draft --resume draft:/);
    expect(await terminal.ended).toBe(130);
    const early = await fermata(['draft', '--resume'], at);
    expect(early.stderr).toContain('is waiting for an answer');
    const [open] = await inbox(at);
    await fermata(['answer', open?.id ?? '', 'that one'], at);
    const resumed = await fermata(['draft', '--resume'], at);
    expect(resumed).toMatchObject({ code: 0 });
    expect(JSON.stringify(at.handle.answers()) + JSON.stringify(at.handle.invocations())).toContain(
      'that one',
    );
  });
});

describe('CLI-EXIT-2 likely mistakes are refused', () => {
  test('a file that is missing or empty is not an idea', async () => {
    const at = place(new ScenarioBuilder().respondsWithText(PLAN));
    writeFileSync(join(at.cwd, 'idea.md'), 'A shop');
    const { code, stderr } = await draft(at, 'idaa.md');
    expect(code).toBe(2);
    expect(stderr).toContain('There is no file idaa.md. Did you mean "idea.md"?');
    expect((await draft(at, '.')).stderr).toContain('is a folder');
    writeFileSync(join(at.cwd, 'idea.zip'), Buffer.from([0x50, 0x4b, 3, 4, 0, 255]));
    expect(await draft(at, 'idea.zip')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('idea.zip is not UTF-8 text'),
    });
    expect(at.handle.invocations()).toEqual([]);
    expect((await draft(at, 'Support CI/CD')).code).toBe(0);
  });

  test('refuses another agent, model or folder for a resumed draft', async () => {
    const at = place(new ScenarioBuilder());
    for (const more of [
      ['--agent', 'codex'],
      ['--model', 'x'],
      ['--output', 'y'],
      ['--adaptive'],
      ['An idea'],
    ]) {
      const { code, stderr } = await fermata(['draft', '--resume', 'draft:x', ...more], at);
      expect({ code, stderr }, more.join(' ')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('continues an earlier draft'),
      });
    }
  });
});

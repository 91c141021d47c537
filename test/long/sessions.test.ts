import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bash, subAgent, threads } from '../agents/claude/real-scene.ts';
import { CLAUDES } from '../agents/clis/real-cli.ts';
import { deskOf, ESC } from '../sessions/support/desk.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { toolResult } from '../support/model/anthropic-request.ts';
import { descendants, kill, killAll, processesIn } from '../support/processes.ts';

const question = (words: string) => ({
  question: words,
  header: 'Lang',
  multiSelect: false,
  options: ['Rust', 'Zig'].map((label) => ({ label, description: `${label} it is` })),
});
const ask = (id: string, words = 'Which language?') =>
  toolUse(id, 'AskUserQuestion', { questions: [question(words)] });

describe.each(CLAUDES)('%s, several dialogs at once', (name) => {
  it('a sub-agent and the main agent ask, and each gets its answer (SES-2, SES-3)', async ({ skip }) => {
    const desk = await deskOf(
      name,
      skip,
      threads({
        main: [subAgent('a1', 'HELPER'), ask('q1'), text('Main done.'), text('More.'), text('More.')],
        HELPER: [bash('b1', 'touch sub.txt'), text('Helper done.')],
      }),
    );
    desk.start('GO');
    const asked = await desk.asked(2);
    const permission = asked.find(({ kind }) => kind === 'permission');
    const main = asked.find(({ kind }) => kind === 'question');
    expect(JSON.stringify(permission?.questions)).toContain('general-purpose');
    await desk.fermata('answer', permission?.id ?? '', 'approve');
    await desk.fermata('answer', main?.id ?? '', 'Zig');
    expect((await desk.got('q1')).text).toContain('Zig');
    await expect.poll(() => existsSync(join(desk.cwd, 'sub.txt'))).toBe(true);
  });

  it('two calls in one message: the hidden one first (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [[ask('q1', 'First?'), ask('q2', 'Second?')], text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.asked(2);
    const of = (words: string) => asked.find(({ questions }) => questions[0]?.text === words);
    await desk.fermata('answer', of('Second?')?.id ?? '', 'Zig');
    await desk.fermata('answer', of('First?')?.id ?? '', 'Rust');
    await claude.shows(/Done\./);
    expect(toolResult(desk.model.requests, 'q1')?.text).toContain('Rust');
    expect(toolResult(desk.model.requests, 'q2')?.text).toContain('Zig');
  });

  it('three sessions in one folder ask the same words; none is misrouted (SES-3)', async ({ skip }) => {
    const desk = await deskOf(
      name,
      skip,
      threads({
        main: [],
        ALPHA: [ask('q-alpha'), text('Alpha done.')],
        BETA: [ask('q-beta'), text('Beta done.')],
        GAMMA: [ask('q-gamma'), text('Gamma done.')],
      }),
    );
    for (const word of ['ALPHA', 'BETA', 'GAMMA']) desk.start(word);
    const asked = await desk.asked(3);
    const runs = await desk.sessions();
    const answers = { ALPHA: 'own words of alpha', BETA: 'own words of beta', GAMMA: 'own words of gamma' };
    for (const { id, resume } of asked) {
      const prompt = runs.find((run) => run.id === resume?.run)?.data;
      const word = prompt?.for === 'session' ? (prompt.prompt as keyof typeof answers) : 'ALPHA';
      await desk.fermata('answer', id, answers[word]);
    }
    for (const word of ['alpha', 'beta', 'gamma'])
      expect((await desk.got(`q-${word}`)).text).toContain(`own words of ${word}`);
  });
});

it('a session in the background asks at once, because nobody sits there (SES-2, SES-6)', async ({ skip }) => {
  const desk = await deskOf(CLAUDES[1], skip, [ask('q1'), text('Done.')]);
  // Claude Code leaves a daemon behind.
  onTestFinished(() => {
    killAll(desk.cwd);
    for (const daemon of processesIn(desk.home))
      for (const pid of [...descendants(daemon), daemon]) kill(pid, 'SIGKILL');
  });
  await desk.claude(['--bg', 'GO']);
  const asked = await desk.one();
  expect(asked.resume?.session?.attended).toBe(false);
  await desk.fermata('answer', asked.id, 'Zig');
  expect((await desk.got('q1')).text).toContain('Zig');
  await desk.becomes(asked, 'delivered');
});

describe.each(CLAUDES)('%s, other kinds of sessions', (name) => {
  it('an agent of a Fermata run asks once: the plugin is silent (SES-5)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [ask('q1'), text('Done.')]);
    Object.assign(desk.env, { FERMATA_RUN: 'r-1' });
    const claude = desk.start('GO');
    await claude.shows(/Zig/);
    await sleep(1000);
    expect(await desk.waiting()).toEqual([]);
  });

  // 2.1.197 refuses at once, without asking its hooks.
  it.runIf(name === CLAUDES[1])('-p asks if it is told to (SES-5)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [bash('b1', 'touch made.txt'), text('Done.')]);
    const said = desk.claude(['-p', 'GO', '--permission-mode', 'default'], { FERMATA_HEADLESS: 'ask' });
    const asked = await desk.one();
    expect(asked.resume?.session?.attended).toBe(false);
    await desk.fermata('answer', asked.id, 'approve');
    expect(await said).toContain('Done.');
    expect(existsSync(join(desk.cwd, 'made.txt'))).toBe(true);
  });

  it('"don\'t ask again" from the inbox applies to the session only (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [
      bash('b1', 'touch one.txt'),
      bash('b2', 'touch two.txt'),
      text('Done.'),
    ]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    const wider = asked.questions[0]?.options?.[2]?.label ?? '';
    expect(wider).toMatch(/^Approve, and .* for this session/);
    await desk.fermata('answer', asked.id, wider);
    await expect.poll(async () => existsSync(join(desk.cwd, 'one.txt'))).toBe(true);
    // A folder or a rule may cover the second command or not; either way nothing was written to a settings file.
    await expect
      .poll(async () => existsSync(join(desk.cwd, 'two.txt')) || (await desk.waiting()).length > 0)
      .toBe(true);
    expect(existsSync(join(desk.cwd, '.claude'))).toBe(false);
    claude.type(ESC);
  });
});

it.for(CLAUDES)(
  '%s: 20 answers at the desk and in the inbox at once have one winner (SES-2, SES-4)',
  async (name, { skip }) => {
    const ROUNDS = 20;
    const desk = await deskOf(name, skip, (_, index) =>
      index < ROUNDS ? ask(`q${index}`, `Round ${index}?`) : text('Done.'),
    );
    const claude = desk.start('GO');
    for (let round = 0; round < ROUNDS; round++) {
      const asked = await desk.one();
      await claude.shows(new RegExp(`Round\\s*${round}\\?[\\s\\S]*Zig`));
      await sleep((round % 5) * 60);
      const inbox = desk.fermata('answer', asked.id, 'Rust').catch(() => 'too late');
      await sleep(150 + (round % 4) * 50);
      claude.type('2');
      await inbox;
      const settled = await desk.becomes(asked, 'delivered');
      const got = toolResult(desk.model.requests, `q${round}`)?.text ?? '';
      const [response] = settled.responses;
      expect(response?.kind).toBe('answered');
      if (response?.kind === 'answered') expect(got).toContain(`"="${response.answer}"`);
    }
    await claude.shows(/Done\./);
  },
);

it.for(CLAUDES)(
  '%s: 50 random kills of sessions and their hooks lose no answer, and none arrives twice (SES-4)',
  async (name, { skip }) => {
    const desk = await deskOf(name, skip, (request) =>
      JSON.stringify(request.messages).includes('My answers') || toolResult([request], 'q1') !== undefined
        ? text('Done.')
        : ask('q1'),
    );
    for (let round = 0; round < 50; round++) {
      const claude = desk.start(`GO ${round}`);
      const asked = await desk.one();
      await sleep(Math.random() * 400);
      const hooks = processesIn(desk.cwd).filter((pid) => pid !== claude.pid);
      const answered = desk.fermata('answer', asked.id, 'Zig');
      await sleep(Math.random() * 600);
      if (round % 3 === 0) for (const pid of hooks) kill(pid, 'SIGKILL');
      kill(claude.pid, 'SIGKILL');
      await answered;
      await desk.hooksEnd();
      const again = desk.start('--resume', asked.resume?.sessionId ?? '', 'continue');
      const settled = await desk.becomes(asked, 'delivered');
      expect(settled.outcome, `round ${round}`).toBe('answered');
      expect(await desk.waiting()).toEqual([]);
      const sent = JSON.stringify(desk.model.requests.at(-1)?.messages);
      const isResult = sent.includes('="Zig"') || sent.includes('=\\"Zig\\"');
      expect([isResult, sent.includes(asked.id)].filter(Boolean), `round ${round}`).toHaveLength(1);
      again.hangUp();
      await desk.hooksEnd();
    }
  },
);

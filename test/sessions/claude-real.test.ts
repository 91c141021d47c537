import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../src/schema/run.ts';
import { CLAUDE_NOW } from '../agents/clis/real-cli.ts';
import { longTest as rare } from '../support/long-test.ts';
import { text, toolUse } from '../support/model/anthropic-reply.ts';
import { deskOf, ESC } from './support/desk.ts';

const language = {
  question: 'Which language?',
  header: 'Lang',
  multiSelect: false,
  options: [
    { label: 'Rust', description: 'Fast' },
    { label: 'Zig', description: 'Small' },
  ],
};
const previewed = {
  ...language,
  options: language.options.map((option) => ({ ...option, preview: `${option.label} { }` })),
};
const features = {
  question: 'Which features?',
  header: 'Features',
  multiSelect: true,
  options: ['Logging', 'Metrics', 'Tracing'].map((label) => ({ label, description: `${label} it is` })),
};
const ask = (id: string, ...questions: object[]) => toolUse(id, 'AskUserQuestion', { questions });

describe.each(CLAUDE_NOW)('%s, a session of a person', (name) => {
  it('is answered in the inbox, with several options, own words and a note (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [ask('q1', previewed, features), text('Done.')]);
    desk.start('GO');
    const asked = await desk.one();
    await desk.fermata('answer', asked.id, 'Neither: "Go", and {only} Go', '1,3', '--note', 'be quick');
    const { text: got } = await desk.got('q1');
    expect(got).toContain('="Neither: "Go", and {only} Go"');
    expect(got).toContain('Logging, Tracing');
    await desk.becomes(asked, 'delivered');
  });

  it('is answered at the desk first, which closes the row in the inbox (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [ask('q1', language), text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    await claude.shows(/Zig/);
    claude.type('2');
    const settled = await desk.becomes(asked, 'delivered');
    expect(settled.responses).toMatchObject([
      { answer: 'Zig', by: { channel: 'desk', actor: { name: 'ann' } } },
    ]);
    await expect(desk.fermata('answer', asked.id, 'Rust')).rejects.toThrow('desk');
  });
});

describe.each(CLAUDE_NOW)('%s, a dialog that ends without an answer', (name) => {
  rare.for([
    ['Esc', ESC, /Cancelled at the desk/],
    ['"Chat about this"', '4', /talk about it/],
  ] as const)('%s withdraws the question and says so (SES-4)', async ([, key, reason], { skip }) => {
    const desk = await deskOf(name, skip, [ask('q1', language), text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    await claude.shows(/Zig/);
    claude.type(key);
    await desk.asked(0);
    const { outcome, reason: why } = await desk.find(asked);
    expect([outcome, why]).toEqual(['withdrawn', expect.stringMatching(reason)]);
  });

  rare.for(['SIGTERM', 'hang up'])('%s withdraws it (SES-4)', async (how, { skip }) => {
    const desk = await deskOf(name, skip, [ask('q1', language), text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    if (how === 'SIGTERM') process.kill(claude.pid, 'SIGTERM');
    else claude.hangUp();
    await desk.asked(0);
    expect((await desk.find(asked)).outcome).toBe('withdrawn');
    await expect.poll(async () => (await desk.sessions())[0]?.status).toBe('ended');
    await desk.hooksEnd();
  });

  it('kill -9 keeps the question, and the answer reaches the resumed session (SES-4)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [ask('q1', language), text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    await claude.shows(/Zig/);
    process.kill(claude.pid, 'SIGKILL');
    await expect.poll(async () => (await desk.find(asked)).resume?.session?.lostAt).toBeDefined();
    expect(await desk.fermata('inbox')).toContain('Its session was interrupted');
    await desk.hooksEnd();
    await desk.fermata('answer', asked.id, 'Zig');
    desk.start('--resume', asked.resume?.sessionId ?? '', 'continue');
    await desk.becomes(asked, 'delivered');
    const sent = JSON.stringify(desk.model.requests.at(-1)?.messages);
    expect(sent.split(asked.id).length).toBe(2);
    expect(sent).toContain('My answers:\\nZig');
    expect(await desk.sessions()).toHaveLength(1);
  });
});

describe.each(CLAUDE_NOW)('%s, a permission', (name) => {
  const touch = toolUse('b1', 'Bash', { command: 'touch made.txt', description: 'make it' });

  it('is approved in the inbox (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [touch, text('Done.')]);
    desk.start('GO');
    const asked = await desk.one();
    expect(asked).toMatchObject({
      kind: 'permission',
      questions: [{ verbatim: [{ text: 'touch made.txt' }, {}] }],
    });
    await desk.fermata('answer', asked.id, 'approve');
    await desk.got('b1');
    expect(existsSync(join(desk.cwd, 'made.txt'))).toBe(true);
    await desk.becomes(asked, 'delivered');
  });

  rare('is rejected in the inbox with words that reach the model (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [touch, text('Done.')]);
    desk.start('GO');
    const asked = await desk.one();
    await desk.fermata('answer', asked.id, 'reject', '--note', 'no files please');
    expect(await desk.got('b1')).toMatchObject({
      isError: true,
      text: expect.stringContaining('no files please'),
    });
    await desk.becomes(asked, 'delivered');
  });

  rare.for([
    ['1', 'Approve'],
    [ESC, 'Reject'],
  ] as const)('is decided at the desk with %j (SES-8)', async ([key, answer], { skip }) => {
    const desk = await deskOf(name, skip, [touch, text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    await claude.shows(/proceed/);
    claude.type(key);
    const settled = await desk.becomes(asked, 'delivered');
    expect(settled.responses).toMatchObject([{ answer, by: { channel: 'desk' } }]);
  });

  rare('is not carried over kill -9, because consent is not context (SES-4)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [touch, text('Done.')]);
    const claude = desk.start('GO');
    const asked = await desk.one();
    process.kill(claude.pid, 'SIGKILL');
    await desk.asked(0);
    expect((await desk.find(asked)).outcome).toBe('withdrawn');
    await expect.poll(async () => (await desk.sessions())[0]?.end?.reason).toBe('interrupted');
  });

  rare('for a plan shows the plan (SES-2)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [
      toolUse('p1', 'ExitPlanMode', { plan: '# The plan\n1. Do it' }),
      text('Done.'),
    ]);
    const claude = desk.start('--permission-mode', 'plan', 'GO');
    const asked = await desk.one();
    await desk.fermata('answer', asked.id, 'approve');
    await claude.shows(/Done\./);
    await desk.becomes(asked, 'delivered');
  });
});

describe.each(CLAUDE_NOW)('%s, sessions that are not asked about', (name) => {
  const touch = toolUse('b1', 'Bash', { command: 'touch made.txt', description: 'make it' });

  it('-p does not wait for a person (SES-5)', async ({ skip }) => {
    const desk = await deskOf(name, skip, [touch, text('Done.')]);
    expect(await desk.claude(['-p', 'GO', '--permission-mode', 'default'])).toContain('Done.');
    expect(await desk.waiting()).toEqual([]);
    expect(await desk.sessions()).toEqual([]);
  });
});

describe.each(CLAUDE_NOW)('%s, a word to a session', (name) => {
  rare('reaches an idle and a busy session once, as news (CLI-tell, SES-9)', async ({ skip }) => {
    const desk = await deskOf(name, skip, (_, index) =>
      index === 0 ? text('Ready.') : index === 1 ? ask('q1', language) : text('Done.'),
    );
    const claude = desk.start('GO');
    await claude.shows(/Ready\./);
    await expect.poll(async () => (await desk.sessions())[0]?.data).toMatchObject({ state: 'idle' });
    const [session] = await desk.sessions();
    const tell = (words: string) => desk.fermata('tell', session?.sessionId?.slice(0, 8) ?? '', words);
    const first = await tell('Use tabs.');
    // An older version takes no messages: it gets them with the next prompt.
    const isWoken = first.startsWith('Sent to');
    if (!isWoken) claude.type('next\r');
    const asked = await desk.one();
    await tell('Skip the migration.');
    await desk.fermata('answer', asked.id, 'Zig');
    const sent = () => JSON.stringify(desk.model.requests.at(-1)?.messages);
    await expect.poll(sent).toContain('Skip the migration.');
    await expect.poll(async () => (await desk.ledger.runs.unread(session as Run)).length).toBe(0);
    for (const words of ['Use tabs.', ...(isWoken ? ['Skip the migration.'] : [])])
      expect(sent().split(words)).toHaveLength(2);
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/agents/driver.ts';
import { longTest } from '../../support/long-test.ts';
import { functionCall, message } from '../../support/model/openai-reply.ts';
import { functionOutput, type OpenAiRequest, userTexts } from '../../support/model/openai-request.ts';
import { delay } from '../../support/model/script.ts';
import { CODEX_NOW } from '../clis/real-cli.ts';
import { askAsSub, escalated, hasCalled, isSub, openScene, spawn } from './scene.ts';

const LOOK = 'SUB: look at the parser';
const WRITE = 'SUB: write the docs';

describe.each(CODEX_NOW)('the threads of %s', (name) => {
  it('HEAR-1 HEAR-2 two sub-agents outlive the turn, ask and are refused: each gets its own answer, and the run waits', async ({
    skip,
  }) => {
    const scene = await openScene(
      name,
      (request) => {
        if (isSub(request, LOOK)) {
          if (!hasCalled(request, 'call_look'))
            return delay(300, askAsSub(name, 'call_look', 'Which parser?'));
          return delay(500, message('I looked.'));
        }
        if (isSub(request, WRITE)) {
          if (!hasCalled(request, 'call_write')) return delay(300, escalated('call_write', 'touch docs.txt'));
          return message('I wrote nothing.');
        }
        if (hasCalled(request, 'call_2')) return message('Two are at it.');
        return [spawn(name, 'call_1', LOOK), spawn(name, 'call_2', WRITE)];
      },
      skip,
    );
    const { model, stage, home, row } = scene;
    const running = scene.start();
    const asked = [await stage.asked(), await stage.asked()];
    const question = asked.find(({ source }) => source === 'plan');
    const approval = asked.find(({ source }) => source === 'approval');
    if (!question || !approval) throw new Error(JSON.stringify(asked));
    expect(question.questions[0]?.context).toContain(LOOK);
    expect(approval.questions[0]?.verbatim).toContainEqual({ label: 'sub-agent', text: WRITE });
    expect(question.resume).toMatchObject({ toolCallId: `${question.resume?.subAgent}/call_look` });
    await stage.answer(approval.id, 'reject', '--note', 'No files, please.');
    await stage.answer(question.id, 'Zig');
    const { end, run, waiting } = await running;

    expect(end).toMatchObject({ reason: 'ok', text: 'Two are at it.', sessionId: run.sessionId });
    expect({ status: run.status, waiting }).toEqual({ status: 'ended', waiting: [] });
    expect(functionOutput(model.requests, 'call_look')).toContain('Zig');
    const told = model.requests.filter((request) => hasCalled(request, 'call_write'));
    expect(told.flatMap(userTexts).join('\n')).toContain('No files, please.');
    expect(
      told.every((request) => isSub(request, WRITE)),
      'only the one that asked hears it',
    ).toBe(true);
    expect(existsSync(join(home.cwd, 'docs.txt'))).toBe(false);
    expect(await row(question.id)).toMatchObject({ status: 'delivered', outcome: 'answered' });
    expect(await row(approval.id)).toMatchObject({ status: 'delivered' });
    expect(model.strays).toEqual([]);
  });

  it('HEAR-6 HEAR-8 an agent gets notes, an accepted suggestion, and the answer to a question in prose', async ({
    skip,
  }) => {
    const scene = await openScene(
      name,
      (request) => {
        if (!hasCalled(request, 'call_1')) return escalated('call_1', 'touch made.txt');
        if (!hasCalled(request, 'call_2')) return escalated('call_2', 'touch made.txt');
        if (!hasCalled(request, 'call_3')) return escalated('call_3', 'touch other.txt');
        const told = userTexts(request).join('\n');
        return message(
          told.includes('Zig') ? 'Zig it is.' : 'I have looked.\n\nWhich language should I use?',
        );
      },
      skip,
    );
    const { model, stage, home, row } = scene;
    const running = scene.start();
    const first = await stage.asked();
    const wider = 'Approve, and allow `touch made.txt` for this session';
    expect(first.questions[0]?.options?.map(({ label }) => label)).toContain(wider);
    expect(first.questions[0]?.verbatim?.map(({ text }) => text)).toContain('It makes a file.');
    await stage.answer(first.id, wider, '--note', 'Keep it empty.');
    const second = await stage.asked();
    expect(second.questions[0]?.verbatim?.[0]?.text).toBe('touch other.txt');
    await stage.answer(second.id, 'reject', '--note', 'One is enough.');
    const prose = await stage.asked();
    expect(prose.questions[0]?.text).toBe('Which language should I use?');
    await stage.answer(prose.id, 'Zig');
    const { end } = await running;

    expect(end).toMatchObject({ reason: 'ok', text: 'Zig it is.' });
    const last = userTexts(model.requests.at(-1) ?? (await model.request(1))).join('\n');
    expect(last).toContain('I approved `touch made.txt`, with a note: Keep it empty.');
    expect(last).toContain('I rejected `touch other.txt`, with a note: One is enough.');
    expect(last).toContain('My answers:\nZig');
    expect(existsSync(join(home.cwd, 'made.txt'))).toBe(true);
    for (const { id } of [first, second, prose]) expect(await row(id)).toMatchObject({ status: 'delivered' });
    expect(model.strays).toEqual([]);
  });

  longTest(
    'HEAR-1 the run waits for a command in the background, but not for one that never ends',
    async ({ skip }) => {
      const left = (cmd: string) => functionCall('call_1', 'exec_command', { cmd, yield_time_ms: 250 });
      const script = (cmd: string) => (request: OpenAiRequest) =>
        hasCalled(request, 'call_1') ? message('It runs.') : left(cmd);
      const short = await openScene(name, script('sleep 2; touch built.txt'), skip);
      const { end } = await short.start();
      expect(end).toMatchObject({ reason: 'ok', text: 'It runs.' });
      expect(existsSync(join(short.home.cwd, 'built.txt'))).toBe(true);

      const endless = await openScene(name, script('sleep 600'), skip);
      const told: AgentEvent[] = [];
      const bounded = await endless.start(
        { onEvent: (event) => told.push(event) },
        { backgroundWaitMs: 800 },
      );
      expect(bounded.end).toMatchObject({ reason: 'ok', text: 'It runs.' });
      const text = expect.stringMatching(/after waiting 0.8 s for its background work \(`sleep 600`\)/);
      expect(told).toContainEqual({ kind: 'notice', text });
    },
  );
});
